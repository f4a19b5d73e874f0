/** What {@link decimalOf} reads: as many digits as the schema's `decimal()` takes. */
const NUMBER = /^(\d{0,15})(?:\.(\d{0,6})0*)?$/;

/** A number of X12 (`R`) in the schema's form: `.5` is `0.5`, `007.10` is `7.1`. Null for what is no such number, or is negative. */
export function decimalOf(text: string | null): string | null {
  const [, whole = '', fraction = ''] = (text !== null && NUMBER.exec(text)) || [];
  if (whole + fraction === '') return null;
  const kept = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${kept === '' ? '' : `.${kept}`}`;
}

/** Dollars of EB07, with two decimals at least. */
export function amountOf(text: string | null): string | null {
  const number = decimalOf(text);
  if (number === null) return null;
  const [whole = '', fraction = ''] = number.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Percent of EB08, which is a fraction; what is above 1 some senders mean as percent. */
export function percentOf(text: string | null): string | null {
  const number = decimalOf(text);
  if (number === null) return null;
  const [whole = '', fraction = ''] = number.split('.');
  if (whole !== '0' && number !== '1') return number;
  const digits = fraction.padEnd(2, '0');
  return decimalOf(`${whole}${digits.slice(0, 2)}.${digits.slice(2)}`);
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const ACCEPTED =
  /^(?<date>.{10}).(?<minute>\d\d:\d\d)(?<second>:\d\d)?(?:[.,](?<digits>\d+))?(?:[Zz]|(?<sign>[+\-\u2212])(?<hours>\d\d):?(?<minutes>\d\d))?$/;

/**
 * Converts a text that `parseDateTime` accepted to RFC 3339. RFC 3339 stays unchanged; pydantic's other forms (a space
 * or `_` for the `T`, no seconds, `,` before the fraction, `+0530`, U+2212 for the minus, no offset) become the same
 * instant with the same offset and fraction. Otherwise we would send what is not the documented `date-time`, and a
 * receiver's validator would refuse a result that ours accepted.
 */
export function toRfc3339(text: string): string {
  if (RFC_3339.test(text)) return text;
  const groups = ACCEPTED.exec(text)?.groups;
  if (!groups) throw new Error('A date-time was not parsed before it was rewritten.');
  const { date, minute, second = ':00', digits, sign, hours, minutes } = groups;
  const fraction = digits === undefined ? '' : `.${digits}`;
  const offset = sign === undefined ? 'Z' : `${sign === '+' ? '+' : '-'}${hours}:${minutes}`;
  return `${date}T${minute}${second}${fraction}${offset}`;
}

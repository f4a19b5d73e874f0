const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const ACCEPTED =
  /^(?<date>.{10}).(?<minute>\d\d:\d\d)(?<second>:\d\d)?(?:[.,](?<digits>\d+))?(?:[Zz]|(?<sign>[+\-\u2212])(?<hours>\d\d):?(?<minutes>\d\d))?$/;

/**
 * What `parseDateTime` read, as RFC 3339: a text that is so already stays as it is, any other form of pydantic's (a
 * space or `_` for the `T`, no seconds, `,` before the fraction, `+0530`, U+2212 for the minus, no offset) becomes the
 * same instant with the same offset and fraction. Otherwise what we send on would not be the `date-time` we document,
 * and a receiver's validator would refuse a result that ours took.
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

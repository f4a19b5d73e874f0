/** Crockford's alphabet, in which an issued id is written: ten digits of milliseconds first. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Where an id's digits begin, after `req_` or `msg_`. */
const PREFIX_LENGTH = 4;

/** The digits that change when an id is moved by whole steps; the two after them hold milliseconds up to 1,024. */
const HEAD_LENGTH = 8;
const HEAD_MS = 1_024;

/** Eight hours: the shortest time that is whole hours, so that facts stay whole, and whole heads. */
export const STEP_MS = 28_800_000;

/** An id's head, as SQL. */
export const headOf = (id: string) => `substr(${id}, ${PREFIX_LENGTH + 1}, ${HEAD_LENGTH})`;

/** An id with another head, as SQL. */
export const withHead = (id: string, head: string) =>
  `substr(${id}, 1, ${PREFIX_LENGTH}) || ${head} || substr(${id}, ${PREFIX_LENGTH + HEAD_LENGTH + 1})`;

/** The head so many steps later; earlier for a negative number. */
export function moveHead(head: string, stepCount: number): string {
  const number = Array.from(head, (digit) => DIGITS.indexOf(digit)).reduce(
    (sum, one) => sum * DIGITS.length + one,
  );
  return digitsOf(number + (stepCount * STEP_MS) / HEAD_MS, HEAD_LENGTH);
}

/** The id so many steps later; earlier for a negative number. */
export function moveId(id: string, stepCount: number): string {
  const end = PREFIX_LENGTH + HEAD_LENGTH;
  return id.slice(0, PREFIX_LENGTH) + moveHead(id.slice(PREFIX_LENGTH, end), stepCount) + id.slice(end);
}

function digitsOf(number: number, length: number): string {
  let digits = '';
  for (let rest = number; digits.length < length; rest = Math.floor(rest / DIGITS.length))
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
  return digits;
}

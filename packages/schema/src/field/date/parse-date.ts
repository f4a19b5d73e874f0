import { DateFault, digitAt, EXTRA_CHARACTERS, TOO_SHORT, twoDigitsAt } from './date-fault.ts';

const DASH = 0x2d;
const DAYS_PER_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses `YYYY-MM-DD` at the start of `bytes`, whatever follows. The checks run in speedate's order, so the same one of
 * several faults is reported.
 *
 * @throws DateFault with the first fault.
 */
export function parseDatePart(bytes: Uint8Array): void {
  if (bytes.length < 10) throw new DateFault(TOO_SHORT);
  let year = 0;
  for (let index = 0; index < 4; index++)
    year = year * 10 + digitAt(bytes, index, 'invalid character in year');
  if (bytes[4] !== DASH) throw new DateFault('invalid date separator, expected `-`');
  const month = twoDigitsAt(bytes, 5, 'invalid character in month');
  if (bytes[7] !== DASH) throw new DateFault('invalid date separator, expected `-`');
  const day = twoDigitsAt(bytes, 8, 'invalid character in day');

  const days = month === 2 && isLeapYear(year) ? 29 : DAYS_PER_MONTH[month - 1];
  if (days === undefined) throw new DateFault('month value is outside expected range of 1-12');
  if (day < 1 || day > days) throw new DateFault('day value is outside expected range');
}

/**
 * Parses a text that contains only a date.
 *
 * @throws DateFault with the first fault.
 */
export function parseDate(bytes: Uint8Array): void {
  parseDatePart(bytes);
  if (bytes.length > 10) throw new DateFault(EXTRA_CHARACTERS);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

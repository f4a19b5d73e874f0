/** A day, or the first and last day of a period, as `YYYY-MM-DD`. */
export interface Period {
  readonly start: string | null;
  /** The last day of a range; null for a single day or an open range. */
  readonly end: string | null;
}

/** How senders write "no end". */
const NO_END = '9999';

/**
 * Reads a date of X12 (`D8` CCYYMMDD, `RD8` a range of two, `DT` with a time after). The form decides, not the
 * qualifier before it: senders put ranges under D8. Null when it is no day of the calendar.
 */
export function parsePeriod(text: string): Period | null {
  const dash = text.indexOf('-');
  if (dash === -1) {
    const day = parseDay(text);
    return day === null ? null : { start: day, end: null };
  }
  if (text.includes('-', dash + 1)) {
    const start = parseDay(text.replaceAll('-', '')); // CCYY-MM-DD, which no X12 format has
    return start === null ? null : { start, end: null };
  }
  const start = parseDay(text.slice(0, dash).trim());
  const end = parseDay(text.slice(dash + 1).trim());
  if (start === null && end === null) return null;
  if (start !== null && end !== null && end < start) return null; // which of them is wrong cannot be known
  return { start, end: end?.startsWith(NO_END) ? null : end };
}

/** `CCYYMMDD` as `YYYY-MM-DD`; null when it is no day of the calendar. A trailing time is dropped. */
export function parseDay(text: string): string | null {
  if (text.length !== 8 && text.length !== 12 && text.length !== 14) return null;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return null;
  }
  const number = Number(text.slice(0, 8));
  if (!isDay(Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100)) return null;
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
}

/** Whether the calendar has this day. Computed by hand: a `Date` for each of the 6,000 dates of a long answer is slow. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && !isLeapYear ? 28 : (DAY_COUNTS[month - 1] ?? 0));
}

const DAY_COUNTS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `HHMM`, `HHMMSS` or longer, as `HH:MM:SS`. */
export function parseTime(text: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text);
  return match && `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}

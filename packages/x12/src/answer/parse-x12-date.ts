/** A day, or the first and last day of a period, as `YYYY-MM-DD`. */
export interface Period {
  readonly start: string | null;
  /** The last day when a range was sent; null for a single day, and for a range without an end. */
  readonly end: string | null;
}

/** Senders write this for "no end". */
const NO_END = '9999';

/**
 * Reads a date of X12 (`D8` CCYYMMDD, `RD8` a range of two, `DT` with a time behind). The form decides, not the
 * qualifier before it: senders put ranges under D8. Null when it is no day of the calendar.
 */
export function parsePeriod(text: string): Period | null {
  const [from = '', to, ...more] = text.split('-').map((part) => part.trim());
  if (more.length > 0) {
    const start = parseDay(text.replaceAll('-', '')); // CCYY-MM-DD, as no form of X12 has it
    return start === null ? null : { start, end: null };
  }
  const start = parseDay(from);
  const end = to === undefined ? null : parseDay(to);
  if (start === null && end === null) return null;
  return { start, end: end?.startsWith(NO_END) ? null : end };
}

/** `CCYYMMDD` as `YYYY-MM-DD`; null when it is no day of the calendar. A time behind it is dropped. */
export function parseDay(text: string): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{4}(\d{2})?)?$/.exec(text);
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  return isDay(year, month, day) ? `${year}-${month}-${day}` : null;
}

export function isDay(year: string, month: string, day: string): boolean {
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number(year) > 0 && !Number.isNaN(at.getTime()) && at.getUTCDate() === Number(day);
}

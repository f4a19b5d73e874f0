import type { Fault } from '../field/text-and-number.ts';

/**
 * A service date as the header `Service-Date` and the member of a batch's row say it. `malformed`: no day, which no
 * request can ask about. `untimely`: a day that a new request may not ask about.
 */
type JudgedDay = { readonly day: string; readonly untimely: Fault | null } | { readonly malformed: Fault };

/** The time of need, as the header `Needed-By` and the member of a batch's row say it; see {@link JudgedDay}. */
type JudgedInstant = { readonly at: Date; readonly untimely: Fault | null } | { readonly malformed: Fault };

const NO_DAY: Fault = {
  msg: 'Value should be a day of the calendar, YYYY-MM-DD',
  type: 'date_parsing',
};
const TOO_FAR: Fault = {
  msg: 'Value should be a day at most a year before or after today',
  type: 'date_out_of_range',
};
const NO_INSTANT: Fault = {
  msg: 'Value should be a date and time with an offset, as in RFC 3339: 2026-11-26T17:00:00Z',
  type: 'datetime_parsing',
};
const PAST: Fault = { msg: 'Value should be in the future', type: 'datetime_future' };

/** Judges a service date, `YYYY-MM-DD`, a year around today at most. */
export function judgeServiceDate(text: string, now: Date): JudgedDay {
  if (!isDay(text)) return { malformed: NO_DAY };
  return { day: text, untimely: isWithinAYear(text, now) ? null : TOO_FAR };
}

/** Judges a time of need: an instant of RFC 3339 with an offset, in the future. It is read to the millisecond. */
export function judgeNeededBy(text: string, now: Date): JudgedInstant {
  const at = readInstant(text);
  if (at === undefined) return { malformed: NO_INSTANT };
  return { at, untimely: at > now ? null : PAST };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function isDay(text: string): boolean {
  // A day that the month lacks is another one once it is read.
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Today is read in UTC: whatever the payer's zone, its day is within a day of that. */
function isWithinAYear(day: string, now: Date): boolean {
  const [year = '', ...monthAndDay] = now.toISOString().slice(0, 10).split('-');
  const inYear = (offset: number) => [String(Number(year) + offset), ...monthAndDay].join('-');
  return day >= inYear(-1) && day <= inYear(1);
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** The last instant that is written with four digits for its year. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function readInstant(text: string): Date | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const at = new Date(text.toUpperCase());
  return at.getTime() <= LAST_MS ? at : undefined;
}

/** A gender as the header `Gender` and the member of a batch's row give it: DMG03 of an inquiry over X12. */
type JudgedGender = { readonly gender: 'F' | 'M' | 'U' } | { readonly malformed: Fault };

const NO_GENDER: Fault = { msg: 'Value should be F, M or U', type: 'literal_error' };

/** Judges a gender: `F`, `M` or `U`, in capitals or not. */
export function judgeGender(text: string): JudgedGender {
  const gender = text.trim().toUpperCase();
  return gender === 'F' || gender === 'M' || gender === 'U' ? { gender } : { malformed: NO_GENDER };
}

import type { ValidationError } from '@insurance-verification/schema';
import type { Call } from '../procedure/context/call.ts';
import { ValidationFailedError } from '../procedure/problem.ts';

/** What the headers `Service-Date` and `Needed-By` of a create say. */
export interface AskedWhen {
  /** `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  readonly neededBy: Date | null;
  /** Why a new request may not say so, today or by now; a repeat of an older one may. */
  readonly fault: ValidationFailedError | null;
}

/** @throws {ValidationFailedError} for what is no day or no instant at all: no request ever said that. */
export function readAskedWhen({ serviceDate: day, neededBy: time }: Call, now = new Date()): AskedWhen {
  const serviceDate = day ?? null;
  const neededBy = time === undefined ? null : readInstant(time);
  const malformed = [
    ...(serviceDate !== null && !isDay(serviceDate) ? [NO_DAY] : []),
    ...(neededBy === undefined ? [NO_INSTANT] : []),
  ];
  if (neededBy === undefined || malformed.length > 0) throw new ValidationFailedError(malformed);
  const untimely = [
    ...(serviceDate !== null && !isWithinAYear(serviceDate, now) ? [TOO_FAR] : []),
    ...(neededBy !== null && neededBy <= now ? [PAST] : []),
  ];
  return { serviceDate, neededBy, fault: untimely.length > 0 ? new ValidationFailedError(untimely) : null };
}

const SERVICE_DATE = ['header', 'service-date'];
const NEEDED_BY = ['header', 'needed-by'];

const NO_DAY: ValidationError = {
  loc: SERVICE_DATE,
  msg: 'Value should be a day of the calendar, YYYY-MM-DD',
  type: 'date_parsing',
};
const TOO_FAR: ValidationError = {
  loc: SERVICE_DATE,
  msg: 'Value should be a day at most a year before or after today',
  type: 'date_out_of_range',
};
const NO_INSTANT: ValidationError = {
  loc: NEEDED_BY,
  msg: 'Value should be a date and time with an offset, as in RFC 3339: 2026-11-26T17:00:00Z',
  type: 'datetime_parsing',
};
const PAST: ValidationError = {
  loc: NEEDED_BY,
  msg: 'Value should be in the future',
  type: 'datetime_future',
};

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

/** To the millisecond; undefined for any other text. */
function readInstant(text: string): Date | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const at = new Date(text.toUpperCase());
  return at.getTime() <= LAST_MS ? at : undefined;
}

import type { ReportRange } from '@insurance-verification/schema';
import { ValidationFailedError } from '../procedure/problem/problem.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Steps that a report may have. */
const SPAN_MS_MAX = { hour: 31 * DAY_MS, day: 400 * DAY_MS };

/** A report's time, on whole hours. */
export interface Range {
  readonly from: Date;
  readonly until: Date;
  readonly step: ReportRange['step'];
  readonly zone: string;
}

/**
 * A report's time: the last 24 hours by default, widened to whole hours.
 * @throws {ValidationFailedError} when it ends before it begins or has too many steps, and for an unknown zone.
 */
export function readRange({
  from,
  until,
  step,
  zone,
}: Pick<ReportRange, 'from' | 'until' | 'step' | 'zone'>): Range {
  const untilMs = Math.ceil((until === undefined ? Date.now() : Date.parse(until)) / HOUR_MS) * HOUR_MS;
  const fromMs = from === undefined ? untilMs - DAY_MS : Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS;
  if (fromMs >= untilMs) refuseField('from', 'Value should be earlier than until');
  if (untilMs - fromMs > SPAN_MS_MAX[step])
    refuseField('from', `A report by the ${step} covers ${SPAN_MS_MAX[step] / DAY_MS} days at most`);
  if (!isZone(zone)) refuseField('zone', 'Value should be the name of a time zone, such as America/Chicago');
  return { from: new Date(fromMs), until: new Date(untilMs), step, zone };
}

/** What reports about now answer, and those that are read say. */
export const headOf = ({ from, until, step, zone }: Range) => ({
  from: from.toISOString(),
  until: until.toISOString(),
  step,
  zone,
});

/** A name alone: PostgreSQL reads an offset such as +05:30 with the opposite sign. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]+([/_+-][A-Za-z0-9]+)*$/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function refuseField(field: 'from' | 'zone', msg: string): never {
  throw new ValidationFailedError([{ loc: ['query', field], msg, type: 'value_error' }]);
}

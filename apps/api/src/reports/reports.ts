import type { ReportQuery } from '@insurance-verification/schema';
import { countAskedCodes, measureResponseTimes, readReport } from '@insurance-verification/store';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { adviseInquiry } from './advise-inquiry.ts';

/** Reports over a time. */
export const reports: Handlers<'reports'> = {
  responseTimes: async ({ ctx, input }) => {
    const { month, ...range } = monthOf(input.month);
    return { month, items: await measureResponseTimes(ctx.app.store, { caller: ctx.caller, ...range }) };
  },

  askedCodes: async ({ ctx: { app, caller }, input }) => {
    const { month, ...range } = monthOf(input.month);
    const counted = await countAskedCodes(app.store, { caller, accountId: input.account_id, ...range });
    if (counted.kind !== 'counted') return refuse(counted);
    const { payers } = app.config;
    return {
      month,
      items: counted.payers.map(({ payerId, inquiryCount, furtherCount, dental, medical }) => ({
        payer_id: payerId,
        inquiry_count: inquiryCount,
        further_inquiry_count: furtherCount,
        dental,
        medical,
        ...adviseInquiry({ dental, medical }, payers.byId(payerId)?.inquiry),
      })),
    };
  },

  get: async ({ ctx: { app, caller }, input }) => {
    const { of, account_id: accountId } = input;
    // Only `operate` acts across accounts here.
    if (of === 'held' && !caller.acrossAccounts)
      throw new ProblemError('forbidden', { requiredScopes: ['operate'] });
    const range = rangeOf(input);
    const { routes } = app.config.payers;
    const report = await readReport(app.store, { of, caller, accountId, ...range, routes });
    if (report.kind !== 'reported') return refuse(report);
    const { step, zone } = range;
    const [from, until] = [range.from.toISOString(), range.until.toISOString()];
    return { of, from, until, step, zone, counted_until: report.counted_until, items: report.items };
  },
};

/** A month in UTC, by default the current one. */
function monthOf(named: string | undefined) {
  const month = named ?? new Date().toISOString().slice(0, 7);
  const from = new Date(`${month}-01T00:00:00Z`);
  const until = new Date(from);
  until.setUTCMonth(from.getUTCMonth() + 1);
  return { month, from, until };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Steps that a report may have. */
const SPAN_MS_MAX = { hour: 31 * DAY_MS, day: 400 * DAY_MS };

/** The first and the last whole hour that an answer can name: a date-time has four digits for its year, from 0001. */
export const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
export const LAST_MS = Date.parse('9999-12-31T23:00:00Z');

/**
 * A report's time: the last 24 hours by default, widened to whole hours.
 * @throws {ValidationFailedError} when it ends before it begins, has too many steps or leaves the calendar, and for an
 * unknown zone.
 */
function rangeOf({ from, until, step, zone }: ReportQuery) {
  const untilMs = Math.ceil((until === undefined ? Date.now() : Date.parse(until)) / HOUR_MS) * HOUR_MS;
  const fromMs = from === undefined ? untilMs - DAY_MS : Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS;
  if (untilMs > LAST_MS) refuseField('until', 'Value should be an hour of the years 1 to 9999');
  if (fromMs < FIRST_MS)
    refuseField(from === undefined ? 'until' : 'from', 'A report begins in the year 1 at the earliest');
  if (fromMs >= untilMs) refuseField('from', 'Value should be earlier than until');
  if (untilMs - fromMs > SPAN_MS_MAX[step])
    refuseField('from', `A report by the ${step} covers ${SPAN_MS_MAX[step] / DAY_MS} days at most`);
  if (!isZone(zone)) refuseField('zone', 'Value should be the name of a time zone, such as America/Chicago');
  return { from: new Date(fromMs), until: new Date(untilMs), step, zone };
}

/** Only a name: PostgreSQL reads an offset such as +05:30 with the opposite sign. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]+([/_+-][A-Za-z0-9]+)*$/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** @throws {ValidationFailedError} */
export function refuseField(field: 'from' | 'until' | 'zone', msg: string): never {
  throw new ValidationFailedError([{ loc: ['query', field], msg, type: 'value_error' }]);
}

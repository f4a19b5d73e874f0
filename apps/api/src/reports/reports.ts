import {
  measureResponseTimes,
  reportHeld,
  reportQueue,
  reportReasons,
  reportRequests,
  reportTimes,
} from '@insurance-verification/store';
import { refuse } from '../procedure/problem/refuse.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { reporting } from './reporting.ts';

/** Reports over a time. */
export const reports: Handlers<'reports'> = {
  responseTimes: async ({ ctx, input }) => {
    const month = input.month ?? new Date().toISOString().slice(0, 7);
    const from = new Date(`${month}-01T00:00:00Z`);
    const until = new Date(from);
    until.setUTCMonth(from.getUTCMonth() + 1);
    return { month, items: await measureResponseTimes(ctx.app.store, { caller: ctx.caller, from, until }) };
  },

  requests: reporting(reportRequests),

  times: reporting(reportTimes),

  reasons: reporting(reportReasons),

  queue: async ({ ctx, input }) => {
    const report = await reportQueue(ctx.app.store, {
      caller: ctx.caller,
      accountId: input.account_id,
      routes: ctx.app.config.payers.routes,
    });
    return report.kind === 'reported' ? report : refuse(report);
  },

  held: reporting(reportHeld),
};

import { type ChannelStats, ErrorReason, type Schemas } from '@insurance-verification/schema';
import { type ChannelMeasure, measureWork } from '@insurance-verification/store';
import { query } from '../trpc.ts';

/** How every channel of every payer stands, and how it has done in the last 24 hours. */
export const workStats = ({ WorkStats }: Schemas) =>
  query({
    meta: {
      openapi: { method: 'GET', path: '/work/stats', summary: 'Show how the work stands', tags: ['Work'] },
      scopes: ['verify', 'operate'],
      limit: 'reads',
    },
    output: WorkStats,
    handler: async ({ ctx: { app, caller } }) => {
      const { payers } = app.config;
      const measures = await measureWork(app.store, payers.routes, caller.mode);
      return {
        items: measures.map((measure) => toStats(measure, payers.byId(measure.payerId)?.name ?? '')),
      };
    },
  });

function toStats(measure: ChannelMeasure, payer: string): ChannelStats {
  return {
    payer,
    channel: measure.channel,
    waiting_count: measure.waitingCount,
    leased_count: measure.leasedCount,
    overdue_count: measure.overdueCount,
    oldest_seconds: measure.oldestSeconds,
    succeeded_count: measure.succeededCount,
    failed_count: measure.failedCount,
    seconds_to_result_p50: measure.secondsToResultP50,
    seconds_to_result_p90: measure.secondsToResultP90,
    within_20_seconds_share: measure.within20SecondsShare,
    failures: measure.failures.flatMap(({ errorReason, count }) => {
      const { data: reason } = ErrorReason.safeParse(errorReason);
      return reason === undefined ? [] : [{ error_reason: reason, count }];
    }),
  };
}

import { QueueReport, ReportQueue } from '@insurance-verification/schema';
import { reportQueue as reportStoredQueue } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';

/** What waits now, by payer and channel. */
export const reportQueue = () =>
  query({
    meta: {
      operation: 'reports.queue',
      openapi: {
        summary: 'Report what waits now',
        description:
          'Tells for each payer and channel how many requests wait, how many are worked on, and how long the oldest has waited.',
        tags: ['Reports'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: { account_id: EXAMPLE_IDS.account },
      answers: {
        one_place: {
          counted_at: '2026-11-21T09:30:00.000Z',
          items: [
            {
              payer_id: 'plan-1',
              channel: 'manual_phone_call',
              waiting_count: 12,
              leased_count: 3,
              oldest_seconds: 840.2,
            },
          ],
        },
      },
    },
    input: ReportQueue,
    output: QueueReport,
    handler: async ({ ctx, input }) => {
      const report = await reportStoredQueue(ctx.app.store, {
        caller: ctx.caller,
        accountId: input.account_id,
        routes: ctx.app.config.payers.routes,
      });
      return report.kind === 'reported' ? report : refuse(report);
    },
  });

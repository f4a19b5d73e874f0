import { ReportMonth, ResponseTimesReport } from '@insurance-verification/schema';
import { measureResponseTimes } from '@insurance-verification/store';
import { query } from '../../procedure/trpc.ts';

/** How fast each payer answered over X12 in a month: the CORE rule asks for 20 seconds or less for 90 % of answers. */
export const reportResponseTimes = () =>
  query({
    meta: {
      operation: 'reports.responseTimes',
      openapi: {
        summary: 'Report how fast payers answered over X12 in a month',
        description:
          'Tells for each payer that was asked over X12 in a month how many inquiries were sent and how fast they were answered, as the CORE operating rules ask.',
        tags: ['Work'],
      },
      limit: 'reads',
      example: { month: '2026-11' },
      answers: {
        month: {
          month: '2026-11',
          items: [
            {
              payer_id: 'plan-1',
              inquiry_count: 1_284,
              within_20_seconds_share: 0.981,
              p50_ms: 2_140,
              p90_ms: 7_900,
              slowest_ms: 41_200,
            },
          ],
        },
      },
    },
    input: ReportMonth,
    output: ResponseTimesReport,
    handler: async ({ ctx, input }) => {
      const month = input.month ?? new Date().toISOString().slice(0, 7);
      const from = new Date(`${month}-01T00:00:00Z`);
      const until = new Date(from);
      until.setUTCMonth(from.getUTCMonth() + 1);
      return { month, items: await measureResponseTimes(ctx.app.store, { caller: ctx.caller, from, until }) };
    },
  });

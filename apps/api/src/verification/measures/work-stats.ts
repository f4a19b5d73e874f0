import type { Schemas } from '@insurance-verification/schema';
import { measureWork } from '@insurance-verification/store';
import { exampleRequest } from '../../examples/request.ts';
import { query } from '../../procedure/trpc.ts';

/** The state of every channel of every payer, and its record of the last 24 hours. */
export const workStats = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'work.stats',
      openapi: {
        summary: 'Show how the work stands',
        description:
          'Tells for each channel of each payer what waits and what is under way now, and what the last 24 hours brought.',
        tags: ['Work'],
      },
      limit: 'reads',
      answers: {
        one_channel: {
          items: [
            {
              payer: exampleRequest(schemas).payer_info.name,
              channel: 'manual_phone_call',
              waiting_count: 12,
              leased_count: 3,
              on_call_count: 1,
              overdue_count: 0,
              oldest_seconds: 840.2,
              succeeded_count: 96,
              failed_count: 4,
              seconds_to_result_p50: 2_710.5,
              seconds_to_result_p90: 9_120,
              within_20_seconds_share: 0,
              failures: [{ error_reason: 'no_human_in_time', count: 3 }],
            },
          ],
        },
      },
    },
    output: schemas.WorkStats,
    handler: async ({ ctx: { app, caller } }) => {
      const { payers } = app.config;
      const measures = await measureWork(app.store, { routes: payers.routes, mode: caller.mode });
      return {
        items: measures.map(({ payer_id, ...stats }) => ({
          payer: payers.byId(payer_id)?.name ?? '',
          ...stats,
        })),
      };
    },
  });

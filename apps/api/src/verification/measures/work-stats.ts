import { CountWork, type Schemas, VerificationSource } from '@insurance-verification/schema';
import { countClaimable, measureWork } from '@insurance-verification/store';
import { exampleRequest } from '../../examples/request.ts';
import { query } from '../../procedure/trpc.ts';

/** The state of every channel of every payer, and its record of the last 24 hours. */
export const workStats = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'work.stats',
      openapi: {
        summary: 'Show the state of the work',
        description:
          'Tells for each channel of each payer what waits and what is under way now, what claims of a verifier would lease, and what the last 24 hours brought.',
        tags: ['Work'],
      },
      limit: 'reads',
      example: { verifier: 'person' },
      answers: {
        one_channel: {
          items: [
            {
              payer: exampleRequest(schemas).payer_info.name,
              channel: 'manual_phone_call',
              waiting_count: 12,
              leased_count: 3,
              on_call_count: 1,
              in_portal_count: 0,
              overdue_count: 0,
              oldest_seconds: 840.2,
              claimable_count: 14,
              oldest_claimable_seconds: 1_260.4,
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
    input: CountWork,
    output: schemas.WorkStats,
    handler: async ({ ctx: { app, caller }, input: { verifier } }) => {
      const { payers } = app.config;
      const { routes } = payers;
      const [measures, claimable] = await Promise.all([
        measureWork(app.store, { routes, mode: caller.mode }),
        countClaimable(app.store, { caller, routes, channels: channelsOf(verifier) }),
      ]);
      return {
        items: measures.map(({ payer_id, ...stats }) => {
          const found = claimable.find((one) => one.payerId === payer_id && one.channel === stats.channel);
          return {
            payer: payers.byId(payer_id)?.name ?? '',
            ...stats,
            claimable_count: found?.count ?? 0,
            oldest_claimable_seconds: found?.oldestSeconds ?? null,
          };
        }),
      };
    },
  });

/** The channels that a verifier works. */
function channelsOf(verifier: CountWork['verifier']): readonly VerificationSource[] {
  switch (verifier) {
    case undefined:
      return VerificationSource.options;
    case 'person':
      return ['manual_web_portal', 'manual_phone_call'];
    case 'agent':
      return ['agent_web_portal', 'agent_phone_call'];
    default:
      return [verifier];
  }
}

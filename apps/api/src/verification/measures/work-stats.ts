import { type CountWork, VerificationSource } from '@insurance-verification/schema';
import { countClaimable, listOwnDone, measureOwnDay, measureWork } from '@insurance-verification/store';
import type { Handlers } from '../../procedure/procedure.ts';

/** How the queue stands, and what the caller did today. */
export const workStats: Pick<Handlers<'work'>, 'stats' | 'day' | 'done'> = {
  stats: async ({ ctx: { app, caller }, input: { verifier } }) => {
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

  day: ({ ctx: { app, caller }, input: { since } }) =>
    measureOwnDay(app.store, { caller, since: since === undefined ? undefined : new Date(since) }),

  done: async ({ ctx: { app, caller }, input: { since } }) => ({
    items: await listOwnDone(app.store, {
      caller,
      since: since === undefined ? undefined : new Date(since),
    }),
  }),
};

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

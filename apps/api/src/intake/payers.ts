import type { Handlers } from '../procedure/procedure.ts';
import { resolvePayer } from './resolve-payer.ts';

/** The payers that requests may name. */
export const payers: Handlers<'payers'> = {
  list: async ({ ctx: { app } }) => ({
    items: app.config.payers.all.map(({ id, name }) => ({ payer_id: id, name })),
  }),

  resolve: async ({ ctx: { app }, input }) => ({ items: resolvePayer(app.config.payers.all, input) }),
};

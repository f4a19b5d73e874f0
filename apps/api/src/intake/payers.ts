import { ValidationFailedError } from '../procedure/problem/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { resolvePayer } from './resolve-payer.ts';

/** The payers that requests may name. */
export const payers: Handlers<'payers'> = {
  list: async ({ ctx: { app } }) => ({
    items: app.config.payers.all.map(({ id, name }) => ({ payer_id: id, name })),
  }),

  resolve: async ({ ctx: { app }, input }) => {
    if (Object.values(input).every((value) => value === undefined)) throw NOTHING_GIVEN;
    return { items: resolvePayer(app.config.payers.all, input) };
  },
};

const NOTHING_GIVEN = new ValidationFailedError([
  { loc: ['query'], msg: 'Value should have text, payer_id or phone', type: 'value_error' },
]);

import type { ValidationError } from '@insurance-verification/schema';
import {
  applyHeldOutput,
  countHeldOutputs,
  dismissHeldOutput,
  dismissHeldOutputs,
  getHeldOutput,
  listHeldOutputs,
} from '@insurance-verification/store';
import { readCursor } from '../procedure/cursor.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { compareHeldOutput } from './compare-held-output.ts';
import { withBenefits } from './with-benefits.ts';

/** Outputs that wait for an operator, and the decision about each. */
export const heldOutputs: Handlers<'heldOutputs'> = {
  list: async ({ ctx, input: { cursor, since, until, account_mode: onlyMode, ...options } }) =>
    listHeldOutputs(ctx.app.store, {
      caller: { ...ctx.caller, onlyMode },
      cursor: readCursor('held', cursor),
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      ...options,
    }),

  stats: ({ ctx: { app, caller } }) => countHeldOutputs(app.store, { caller }),

  get: async ({ ctx, input }) => {
    const found = await getHeldOutput(ctx.app.store, { caller: ctx.caller, heldId: input.held_id });
    return found.kind === 'found' ? withBenefits(found) : refuse(found);
  },

  compare: compareHeldOutput,

  /**
   * An operator applies a held output, to its own request or to a named one; on a finished request it is a correction.
   */
  apply: async ({ ctx, input: { held_id: heldId, request_id: requestId } }) => {
    const applied = await applyHeldOutput(ctx.app.store, { caller: ctx.caller, heldId, requestId });
    switch (applied.kind) {
      case 'applied':
        ctx.call.concerns(applied.requestId);
        ctx.app.wakeDelivery();
        return { status: 'applied' as const, version: applied.version };
      case 'no_target':
      case 'unknown_request':
        throw new ValidationFailedError([{ loc: ['body', 'request_id'], ...FAULTS[applied.kind] }]);
      default:
        return refuse(applied);
    }
  },

  dismiss: async ({ ctx, input: { held_id: heldId, note } }) => {
    const { kind } = await dismissHeldOutput(ctx.app.store, { caller: ctx.caller, heldId, note });
    return kind === 'dismissed' ? { status: kind } : refuse({ kind });
  },

  dismissMany: ({ ctx, input }) =>
    dismissHeldOutputs(ctx.app.store, {
      caller: ctx.caller,
      reason: input.reason,
      receivedBefore: input.received_before === undefined ? undefined : new Date(input.received_before),
      requestId: input.request_id,
      note: input.note,
      limit: input.limit,
    }),
};

/** Faults of the request that the body names or omits, which only the database can know. */
const FAULTS = {
  no_target: { msg: 'Field required', type: 'missing' },
  unknown_request: { msg: 'There is no request with this id', type: 'request_not_found' },
} satisfies Record<string, Omit<ValidationError, 'loc'>>;

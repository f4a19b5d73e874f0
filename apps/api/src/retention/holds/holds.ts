import { endHold, listHolds, placeHold } from '@insurance-verification/store';
import { readCursor } from '../../procedure/cursor.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import type { Handlers } from '../../procedure/procedure.ts';

/** Legal holds, which keep data from every erasure. */
export const holds: Handlers<'holds'> = {
  list: ({ ctx, input: { limit, cursor } }) =>
    listHolds(ctx.app.store, { caller: ctx.caller, limit, cursor: readCursor('hold', cursor) }),

  place: async ({ ctx, input: { request_id: requestId, account_id: accountId, reason } }) => {
    const covers = coveredBy(requestId, accountId);
    const placed = await placeHold(ctx.app.store, { caller: ctx.caller, covers, reason });
    if (placed.kind !== 'placed') return refuse(placed);
    if (placed.hold.request_id !== null) ctx.call.concerns(placed.hold.request_id);
    return placed.hold;
  },

  end: async ({ ctx, input: { hold_id: holdId } }) => {
    const ended = await endHold(ctx.app.store, { caller: ctx.caller, holdId });
    if (ended.kind !== 'ended') return refuse(ended);
    if (ended.hold.request_id !== null) ctx.call.concerns(ended.hold.request_id);
    return ended.hold;
  },
};

/** @throws {ValidationFailedError} for both, or none. */
function coveredBy(requestId: string | undefined, accountId: string | undefined) {
  if (requestId !== undefined && accountId === undefined) return { requestId };
  if (accountId !== undefined && requestId === undefined) return { accountId };
  const [msg, type] =
    requestId === undefined
      ? (['Field required, or account_id', 'missing'] as const)
      : (['Value should be absent where request_id is given', 'value_error'] as const);
  throw new ValidationFailedError([
    { loc: ['body', requestId === undefined ? 'request_id' : 'account_id'], msg, type },
  ]);
}

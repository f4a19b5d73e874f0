import {
  askErasure,
  confirmErasure,
  endHold,
  listErasures,
  listHolds,
  placeHold,
} from '@insurance-verification/store';
import { readCursor } from '../procedure/cursor.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handler, Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/** Asks for the erasure of a request, which a person then confirms. */
export const eraseRequest: Handler<'requests.erase'> = async ({
  ctx,
  input: { request_id: requestId, reason },
}) => {
  const asked = await askErasure(ctx.app.store, { caller: ctx.caller, requestId, reason });
  if (asked.kind !== 'not_found') ctx.call.concerns(requestId);
  return asked.kind === 'asked' ? asked.erasure : refuse(asked);
};

/** Erasures that somebody asked for, until another person confirms them. */
export const erasures: Handlers<'erasures'> = {
  list: ({ ctx, input: { limit, cursor } }) =>
    listErasures(ctx.app.store, { caller: ctx.caller, limit, cursor: readCursor('ers', cursor) }),

  confirm: async ({ ctx, input: { erasure_id: erasureId, member_id_ending: memberIdEnding } }) => {
    const { store, config, metrics } = ctx.app;
    const { backupDays } = config;
    const confirmation = { caller: ctx.caller, erasureId, memberIdEnding, backupDays };
    const confirmed = await confirmErasure(store, confirmation);
    if (confirmed.kind === 'wrong_ending')
      throw new ValidationFailedError([
        {
          loc: ['body', 'member_id_ending'],
          msg: 'Value should be the ending of its member id; after five wrong ones the erasure has to be asked for again',
          type: 'value_error',
        },
      ]);
    if (confirmed.kind !== 'confirmed') return refuse(confirmed);
    if (confirmed.isNew) metrics.requestsErased.inc();
    ctx.call.concerns(confirmed.erasure.request_id);
    return confirmed.erasure;
  },
};

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

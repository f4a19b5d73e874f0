import { askErasure, confirmErasure, listErasures } from '@insurance-verification/store';
import { readCursor } from '../../procedure/cursor.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import type { Handler, Handlers } from '../../procedure/procedure.ts';

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

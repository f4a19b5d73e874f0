import {
  closeRequest,
  countRequests,
  getRequest,
  listRequests,
  revealRequest,
  searchRequests,
  viewRequest,
} from '@insurance-verification/store';
import type { Context } from '../procedure/context/app.ts';
import { readCursor } from '../procedure/cursor.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/** Requests as their account and those who look after them see them. */
export const requests: Pick<
  Handlers<'requests'>,
  'list' | 'search' | 'stats' | 'get' | 'close' | 'view' | 'reveal'
> = {
  list: async ({ ctx, input: { cursor, ...filter } }) => {
    const { unreadableIds, ...page } = await listRequests(ctx.app.store, {
      caller: ctx.caller,
      ...filter,
      cursor: readCursor('req', cursor),
    });
    logUnreadable(ctx, unreadableIds);
    return page;
  },

  search: async ({ ctx, input }) => {
    const { since, until } = input;
    const { items, next_cursor, unreadableIds } = await searchRequests(ctx.app.store, {
      caller: { ...ctx.caller, onlyMode: input.account_mode },
      routes: ctx.app.config.payers.routes,
      requestId: input.request_id,
      idempotencyKey: input.idempotency_key,
      memberId: input.subscriber_id,
      npi: input.npi,
      accountId: input.account_id,
      payerId: input.payer_id,
      state: input.state,
      errorReason: input.error_reason,
      channel: input.channel,
      late: input.late,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      limit: input.limit,
      cursor: readCursor('req', input.cursor),
      order: input.order,
    });
    logUnreadable(ctx, unreadableIds);
    return { items, next_cursor };
  },

  stats: ({ ctx: { app, caller } }) => countRequests(app.store, { caller }),

  get: async ({ ctx, input: { request_id: requestId } }) => {
    const found = await getRequest(ctx.app.store, { caller: ctx.caller, requestId });
    if (found.kind !== 'found') return refuse(found);
    ctx.call.concerns(requestId);
    return found.request;
  },

  close: async ({ ctx, input: { request_id: requestId, reason } }) => {
    const closed = await closeRequest(ctx.app.store, { caller: ctx.caller, requestId, reason });
    if (closed.kind !== 'not_found') ctx.call.concerns(requestId);
    if (closed.kind !== 'closed') return refuse(closed);
    ctx.app.wakeDelivery();
    return closed.request;
  },

  view: async ({ ctx, input: { request_id: requestId } }) => {
    const viewed = await viewRequest(ctx.app.store, {
      caller: ctx.caller,
      requestId,
      routes: ctx.app.config.payers.routes,
      makesRequests: ctx.caller.scopes.includes('requests'),
    });
    if (viewed.kind !== 'found') return refuse(viewed);
    ctx.call.concerns(requestId);
    return viewed.view;
  },

  reveal: async ({ ctx, input: { request_id: requestId } }) => {
    const found = await revealRequest(ctx.app.store, { caller: ctx.caller, requestId });
    if (found.kind !== 'found') return refuse(found);
    ctx.call.concerns(requestId);
    return found.revealed;
  },
};

/** Logs and counts the requests that a list omits because their stored values do not open. */
function logUnreadable({ app, call }: Context, requestIds: readonly string[]): void {
  for (const request_id of requestIds) {
    app.metrics.requestsUnreadable.inc();
    app.log.error({ trace: call.trace, request_id }, 'a request cannot be decrypted; the list leaves it out');
  }
}

import {
  getDelivery,
  listDeliveries,
  listReceivers,
  redeliver,
  redeliverExhausted,
  redeliverMatching,
  searchDeliveries,
  tryReceiver,
} from '@insurance-verification/store';
import { readCursor } from '../../procedure/cursor.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import type { Handlers } from '../../procedure/procedure.ts';
import { countedFirst, toDeliveryFilter } from './to-delivery-filter.ts';

/** The deliveries of one request. */
export const requestDeliveries: Pick<Handlers<'requests'>, 'deliveries' | 'redeliver'> = {
  deliveries: async ({ ctx, input: { request_id: requestId } }) => {
    const listed = await listDeliveries(ctx.app.store, { caller: ctx.caller, requestId });
    if (listed.kind !== 'found') return refuse(listed);
    ctx.call.concerns(requestId);
    return { items: listed.deliveries };
  },

  redeliver: async ({ ctx, input: { request_id: requestId } }) => {
    const redelivered = await redeliver(ctx.app.store, { caller: ctx.caller, requestId });
    if (redelivered.kind !== 'not_found') ctx.call.concerns(requestId);
    switch (redelivered.kind) {
      case 'queued':
        ctx.app.wakeDelivery();
        return redelivered.request;
      case 'under_way':
        return redelivered.request;
      default:
        return refuse(redelivered);
    }
  },
};

/** The deliveries of all requests that the caller may see. */
export const deliveries: Handlers<'deliveries'> = {
  list: async ({ ctx, input }) =>
    searchDeliveries(ctx.app.store, {
      ...toDeliveryFilter(input),
      caller: ctx.caller,
      limit: input.limit,
      cursor: readCursor('msg', input.cursor),
      order: input.order,
      status: input.status,
      since: input.since === undefined ? undefined : new Date(input.since),
    }),

  get: async ({ ctx, input: { delivery_id: deliveryId } }) => {
    const read = await getDelivery(ctx.app.store, { caller: ctx.caller, deliveryId });
    if (read.kind !== 'found') return refuse(read);
    ctx.call.concerns(read.delivery.request_id);
    return read.delivery;
  },

  redeliverMatching: async ({ ctx, input }) => {
    const answer = await countedFirst(input, (token) =>
      redeliverMatching(ctx.app.store, {
        ...toDeliveryFilter(input),
        caller: ctx.caller,
        status: input.status,
        since: new Date(input.since),
        limit: input.limit,
        token,
      }),
    );
    if (answer.redelivered > 0) ctx.app.wakeDelivery();
    return answer;
  },

  redeliverExhausted: async ({ ctx, input }) => {
    const answer = await countedFirst(input, (token) =>
      redeliverExhausted(ctx.app.store, {
        caller: ctx.caller,
        since: new Date(input.since),
        host: input.host,
        limit: input.limit,
        token,
      }),
    );
    if (answer.redelivered > 0) ctx.app.wakeDelivery();
    return answer;
  },
};

/** The hosts that results are delivered to. */
export const receivers: Handlers<'receivers'> = {
  list: async ({ ctx: { app, caller } }) => ({
    items: await listReceivers(app.store, { caller }),
  }),

  tryNow: async ({ ctx: { app, caller }, input: { host } }) => {
    const requestIds = await tryReceiver(app.store, { caller, host });
    if (requestIds.length > 0) app.wakeDelivery();
    return { tried: requestIds.length };
  },
};

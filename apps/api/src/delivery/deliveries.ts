import type { ListDeliveries } from '@insurance-verification/schema';
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
import { readCursor } from '../procedure/cursor.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

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

/** The deliveries of results and events that the caller may see. */
export const deliveries: Handlers<'deliveries'> = {
  list: async ({ ctx, input }) =>
    searchDeliveries(ctx.app.store, {
      ...toDeliveryFilter(input),
      caller: { ...ctx.caller, onlyMode: input.account_mode },
      limit: input.limit,
      cursor: readCursor('msg', input.cursor),
      order: input.order,
      status: input.status,
      since: input.since === undefined ? undefined : new Date(input.since),
    }),

  get: async ({ ctx, input: { delivery_id: deliveryId } }) => {
    const read = await getDelivery(ctx.app.store, { caller: ctx.caller, deliveryId });
    if (read.kind !== 'found') return refuse(read);
    if (read.delivery.request_id !== null) ctx.call.concerns(read.delivery.request_id);
    return read.delivery;
  },

  redeliverMatching: async ({ ctx, input }) => {
    const answer = await countedFirst(input, (token) =>
      redeliverMatching(ctx.app.store, {
        ...toDeliveryFilter(input),
        caller: { ...ctx.caller, onlyMode: input.account_mode },
        deliveryId: input.delivery_id,
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

/** The hosts that results and events are delivered to. */
export const receivers: Handlers<'receivers'> = {
  list: async ({ ctx: { app, caller }, input: { account_mode: onlyMode } }) => ({
    items: await listReceivers(app.store, { caller: { ...caller, onlyMode } }),
  }),

  tryNow: async ({ ctx: { app, caller }, input: { host } }) => {
    const tried = await tryReceiver(app.store, { caller, host });
    if (tried > 0) app.wakeDelivery();
    return { tried };
  },
};

/** What a list and a redelivery of all that match select by, as the store takes it. */
const toDeliveryFilter = (
  input: Omit<ListDeliveries, 'limit' | 'cursor' | 'order' | 'status' | 'since' | 'account_mode'>,
) => ({
  accountId: input.account_id,
  requestId: input.request_id,
  endpointId: input.endpoint_id,
  host: input.host,
  outcome: input.outcome,
  statusCode: input.status_code,
  reason: input.reason,
  attemptsMin: input.attempts_min,
  until: input.until === undefined ? undefined : new Date(input.until),
});

interface Counted<Answer> {
  readonly kind: 'counted' | 'redelivered';
  readonly answer: Answer;
}

/**
 * Counts what a redelivery of many would send again, or with the token of such a count has it done: a filter that
 * selects more than was meant is seen first.
 * @param send takes the token; null for a dry run.
 * @throws {ValidationFailedError} without a token, and for one of another count.
 */
async function countedFirst<Answer>(
  { dry_run: isDryRun, token }: { readonly dry_run: boolean; readonly token?: string | undefined },
  send: (token: string | null) => Promise<Counted<Answer> | { readonly kind: 'other_token' }>,
): Promise<Answer> {
  if (!isDryRun && token === undefined)
    throw tokenFault('missing', 'Field required: the token of a dry run with the same filters');
  const done = await send(isDryRun ? null : (token ?? ''));
  if (done.kind === 'other_token')
    throw tokenFault('value_error', 'Value should be the token of a dry run with the same filters');
  return done.answer;
}

const tokenFault = (type: string, msg: string) =>
  new ValidationFailedError([{ loc: ['body', 'token'], msg, type }]);

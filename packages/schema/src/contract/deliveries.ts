import { DeliveryDetail, DeliveryRef, DeliverySummaryList } from '../delivery/delivery-summary.ts';
import { ListDeliveries } from '../delivery/list-deliveries.ts';
import { RedeliverExhausted, RedeliveredExhausted } from '../delivery/redeliver-exhausted.ts';
import { RedeliverMatching, RedeliveredMatching } from '../delivery/redeliver-matching.ts';
import { exampleAttempts, exampleDelivery } from './examples/delivery.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** The operations of `deliveries`. */
export const deliveriesOperations = () => ({
  list: operation('deliveries.list', {
    get: '/deliveries',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List deliveries',
    description:
      'Returns a page of deliveries with the outcome of their last attempts; with scope `operate`, of every account. Times filter by when the result was accepted. With filters that few deliveries match, a page before the last may be short or empty: `next_cursor` is null on the last page only.',
    limit: 'reads',
    input: ListDeliveries,
    output: DeliverySummaryList,
    example: {
      limit: 20,
      cursor: EXAMPLE_IDS.delivery,
      order: 'newest',
      status: 'exhausted',
      account_id: EXAMPLE_IDS.account,
      request_id: EXAMPLE_IDS.request,
      host: 'billing.example',
      outcome: 'http_error',
      status_code: 500,
      reason: 'webhook_exhausted',
      attempts_min: 2,
      since: '2026-11-20T00:00:00Z',
      until: '2026-11-21T00:00:00Z',
    },
    answers: { page: { items: [exampleDelivery], next_cursor: null } },
  }),

  get: operation('deliveries.get', {
    get: '/deliveries/{delivery_id}',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'Read a delivery',
    description:
      'Returns the delivery of one result to its callback address: its state, when the next attempt is due, and every attempt with its outcome and the start of the receiver’s response.',
    limit: 'reads',
    problems: ['not_found'],
    params: DeliveryRef,
    output: DeliveryDetail,
    answers: { second_attempt_succeeded: { ...exampleDelivery, attempts: exampleAttempts } },
  }),

  // A token sends no message twice, so a second call only does what the first one left.
  redeliverMatching: operation('deliveries.redeliverMatching', {
    post: '/deliveries/redeliver',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Deliver matching results again',
    description:
      'Takes two calls with the same filters. With `dry_run`, it counts the matching deliveries and returns a `token`. With that token, each of them that still matches gets a new round of attempts, and no other delivery does, however often you call. With scope `operate` it covers every account. Repeat both calls while the dry run returns `more`.',
    limit: 'redeliver-exhausted',
    changes: ['delivery'],
    input: RedeliverMatching,
    output: RedeliveredMatching,
    example: {
      dry_run: true,
      status: 'exhausted',
      since: '2026-11-20T00:00:00Z',
      host: 'billing.example',
      limit: 1_000,
    },
    answers: {
      counted: { matching: 42, redelivered: 0, more: false, token: 'WyIyMDI2LTExLTIwIl0.c2lnbmVk' },
      under_way: { matching: 42, redelivered: 42, more: false, token: null },
    },
  }),

  // Messages in progress are left alone, so a second call only does what the first one left.
  redeliverExhausted: operation('deliveries.redeliverExhausted', {
    post: '/deliveries/redeliver-exhausted',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Deliver exhausted results again',
    description:
      'Use it after a receiver was down. Takes two calls with the same `since` and `host`. With `dry_run`, it counts the results whose attempts were used up at `since` or later and returns a `token`. With that token, each of them gets a new round of attempts, oldest first, and no other result does. Repeat both calls while the dry run returns `more`.',
    limit: 'redeliver-exhausted',
    changes: ['delivery'],
    input: RedeliverExhausted,
    output: RedeliveredExhausted,
    example: { dry_run: true, since: '2026-11-20T00:00:00Z', host: 'billing.example', limit: 1_000 },
    answers: {
      counted: { matching: 42, redelivered: 0, more: false, token: 'WyIyMDI2LTExLTIwIl0.c2lnbmVk' },
      under_way: { matching: 42, redelivered: 42, more: false, token: null },
    },
  }),
});

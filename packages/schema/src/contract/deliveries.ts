import * as z from 'zod';
import { accountModeField, ofModeField } from '../access/account.ts';
import { AttemptOutcome, DeliveryAttempt, DeliveryStatus } from '../delivery.ts';
import { EventType } from '../event.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { cursorField, limitField, nextCursorField, orderField } from '../page.ts';
import { exampleAttempts } from './examples/delivery.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

const summaryShape = {
  delivery_id: z.string().meta({ description: 'The id of the delivery, and the webhook-id of a result.' }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: 'The request whose result it carries; null for an event.' }),
  account_id: z.string().meta({ description: 'The account of that request, or of the endpoint.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  account_mode: accountModeField(),
  payer: z
    .string()
    .nullable()
    .meta({ description: "The payer's name, as that request has it; null for an event." }),
  patient_initials: z.string().nullable().meta({
    description:
      "The initials of the patient's name, as in J. D.; null without letters, once the data was erased, and for an event.",
  }),
  version: wholeNumber()
    .nullable()
    .meta({ description: 'The version of the result it carries, from 1; null for an event.' }),
  event_id: z.string().nullable().meta({ description: 'The event that it carries; null for a result.' }),
  event_type: EventType.nullable().meta({
    description: 'What happened; null for a result, and for an altered event.',
  }),
  endpoint_id: z
    .string()
    .nullable()
    .meta({ description: 'The endpoint that the event goes to; null for a result.' }),
  status: DeliveryStatus.meta({ description: 'Its current state.' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it was given up, as webhook_exhausted; null unless it was.' }),
  host: z
    .string()
    .nullable()
    .meta({ description: 'The host and port that it goes to; null when its address does not open.' }),
  accepted_at: dateTime().meta({ description: 'When the result was accepted or the event happened.' }),
  done_at: dateTime()
    .nullable()
    .meta({ description: 'When it was delivered, given up or replaced; null while attempts are due.' }),
  next_attempt_at: dateTime().nullable().meta({
    description:
      'When the next attempt is due; in the past: as soon as its turn comes. Null when none is due.',
  }),
  paused_since: dateTime().nullable().meta({
    description: 'Since when its receiver is paused; a redelivery tries it at once. Null while it is not.',
  }),
  attempt_count: wholeNumber().meta({ description: 'How many attempts were made, over all rounds.' }),
  last_attempt_at: dateTime().nullable().meta({ description: 'When the last one started; null before it.' }),
  last_outcome: AttemptOutcome.nullable().meta({ description: 'How the last one ended; null before it.' }),
  last_status_code: wholeNumber()
    .nullable()
    .meta({ description: 'The HTTP status that the receiver answered it with; null when none came.' }),
};

/** A delivery of a result or of an event in a list (`deliveries.list`): its state and the outcome of its last attempt. */
export const DeliverySummary = model('DeliverySummary', 'A delivery and its last attempt.', summaryShape);
export type DeliverySummary = z.infer<typeof DeliverySummary>;

/**
 * One page of deliveries. With filters that few of them match it may hold fewer than requested, or none, although there
 * are more: a call reads a bounded number of them. Only a `next_cursor` of null marks the end.
 */
export const DeliverySummaryList = model('DeliverySummaryList', 'One page of deliveries.', {
  items: list(DeliverySummary).meta({
    description: 'The deliveries, newest first.',
  }),
  next_cursor: nextCursorField(),
});
export type DeliverySummaryList = z.infer<typeof DeliverySummaryList>;

/** One delivery with every attempt (`deliveries.get`). */
export const DeliveryDetail = model('DeliveryDetail', 'One delivery with every attempt.', {
  ...summaryShape,
  attempts: list(DeliveryAttempt).meta({ description: 'The attempts so far, first to last.' }),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** Names one delivery. Any string passes: a malformed id answers 404, like an unknown one. */
export const DeliveryRef = model('DeliveryRef', 'Names one delivery.', {
  delivery_id: z.string().meta({ description: 'The id of the delivery.' }),
});
export type DeliveryRef = z.infer<typeof DeliveryRef>;

/** How a redelivery of many is asked for: counted first, then done with the token of that count. */
const countedFirst = {
  dry_run: z.boolean().default(false).meta({
    description: 'True: only counts them, and answers the token.',
  }),
  token: z.string().optional().meta({
    description: 'The token of a dry run with the same filters; needed unless dry_run is true.',
  }),
} as const;

/** How many deliveries match, or were sent again. */
const countedAnswer = {
  matching: wholeNumber().meta({ description: 'How many the dry run counted, the limit at most.' }),
  redelivered: wholeNumber().meta({
    description: 'How many of them this call put under way; 0 for a dry run.',
  }),
  more: z.boolean().meta({ description: 'True: more match than the limit, so ask and call again.' }),
  token: z.string().nullable().meta({
    description: 'For the call that sends them again; null where none matches, and unless it was a dry run.',
  }),
} as const;

/** The filters of deliveries in addition to their status; a delivery has to match every given one. */
const deliveryFilter = {
  account_id: z
    .string()
    .optional()
    .meta({ description: 'Only deliveries of this account; absent: of every account within reach.' }),
  account_mode: ofModeField(),
  request_id: z.string().optional().meta({ description: 'Only deliveries of this request.' }),
  endpoint_id: z.string().optional().meta({ description: 'Only events to this endpoint.' }),
  host: z.string().optional().meta({
    description:
      'Only deliveries to this host: receiver.example, or receiver.example:8443. Without a port, of both 443 and 80.',
  }),
  outcome: AttemptOutcome.optional().meta({ description: 'Only those whose last attempt ended like this.' }),
  status_code: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .meta({ description: 'Only those whose receiver answered the last attempt with this HTTP status.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Only those given up for this reason, as webhook_exhausted.' }),
  attempts_min: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: 'Only those with so many attempts or more.' }),
  until: dateTime().optional().meta({ description: 'Only those accepted before this time.' }),
} as const;

/** The deliveries to list (`deliveries.list`): those that match every given filter. */
export const ListDeliveries = model('ListDeliveries', 'Which deliveries to list.', {
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
  status: DeliveryStatus.optional().meta({ description: 'Only deliveries in this state.' }),
  ...deliveryFilter,
  since: dateTime().optional().meta({ description: 'Only those accepted at this time or later.' }),
});
/** {@link ListDeliveries} as a type, after the default is filled in. */
export type ListDeliveries = z.infer<typeof ListDeliveries>;

/** The body that counts exhausted messages, or sends those again that were counted (`deliveries.redeliverExhausted`). */
export const RedeliverExhausted = model(
  'RedeliverExhausted',
  'Counts exhausted deliveries, or sends those again that were counted.',
  {
    ...countedFirst,
    since: dateTime().meta({ description: 'Only those exhausted at this time or later.' }),
    host: deliveryFilter.host,
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; those exhausted first go first.' }),
  },
);
/** {@link RedeliverExhausted} as a type, after the defaults are filled in. */
export type RedeliverExhausted = z.infer<typeof RedeliverExhausted>;

/** How many exhausted messages match, or were queued again. */
export const RedeliveredExhausted = model(
  'RedeliveredExhausted',
  'How many deliveries match, and how many are under way again.',
  countedAnswer,
);
export type RedeliveredExhausted = z.infer<typeof RedeliveredExhausted>;

/** The body that counts deliveries, or sends those again that were counted (`deliveries.redeliverMatching`). */
export const RedeliverMatching = model(
  'RedeliverMatching',
  'Counts the deliveries that match every given filter, or sends those again that were counted.',
  {
    ...countedFirst,
    delivery_id: z.string().optional().meta({ description: 'Only this delivery.' }),
    status: DeliveryStatus.extract(['exhausted', 'delivered'])
      .default('exhausted')
      .meta({ description: 'Those that were given up, or those that were delivered.' }),
    ...deliveryFilter,
    since: dateTime().meta({ description: 'Only those accepted at this time or later.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; those accepted first go first.' }),
  },
);
/** {@link RedeliverMatching} as a type, after the defaults are filled in. */
export type RedeliverMatching = z.infer<typeof RedeliverMatching>;

/** How many deliveries match, or were sent again. */
export const RedeliveredMatching = model(
  'RedeliveredMatching',
  'How many deliveries match, and how many are under way again.',
  countedAnswer,
);
export type RedeliveredMatching = z.infer<typeof RedeliveredMatching>;

/** The example's first result, which its receiver took at the second attempt. */
const exampleDelivery: DeliverySummary = {
  delivery_id: EXAMPLE_IDS.delivery,
  request_id: EXAMPLE_IDS.request,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  account_mode: 'live',
  payer: 'Northwind Health',
  patient_initials: 'J. D.',
  version: 1,
  event_id: null,
  event_type: null,
  endpoint_id: null,
  status: 'delivered',
  reason: null,
  host: 'billing.example:443',
  accepted_at: '2026-11-20T10:15:00.000Z',
  done_at: '2026-11-20T10:15:05.521Z',
  next_attempt_at: null,
  paused_since: null,
  attempt_count: 2,
  last_attempt_at: '2026-11-20T10:15:05.480Z',
  last_outcome: 'succeeded',
  last_status_code: 204,
};

/** The operations of `deliveries`. */
export const deliveriesOperations = () => ({
  list: operation('deliveries.list', {
    get: '/deliveries',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List deliveries',
    description:
      'Returns a page of deliveries with the outcome of their last attempts; with scope `operate`, of every account. Times filter by `accepted_at`. A page before the last may be short or empty: `next_cursor` is null on the last only.',
    limit: 'reads',
    input: ListDeliveries,
    output: DeliverySummaryList,
    example: {
      limit: 20,
      cursor: EXAMPLE_IDS.delivery,
      order: 'newest',
      status: 'exhausted',
      account_id: EXAMPLE_IDS.account,
      account_mode: 'live',
      request_id: EXAMPLE_IDS.request,
      endpoint_id: EXAMPLE_IDS.endpoint,
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
      'Returns one delivery: its state, when the next attempt is due, and each attempt with its outcome and, of a result, the start of the receiver’s response.',
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
    summary: 'Repeat matching deliveries',
    description:
      'Takes two calls with the same filters. With `dry_run`, it counts the matching deliveries and returns a `token`. With that token, each of them that still matches gets a new round of attempts, once. A replaced result, or an event whose endpoint is off, does not match. With scope `operate` it covers every account. Repeat both calls while the dry run returns `more`.',
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

  // Messages in progress are not touched, so a second call only does what the first one left.
  redeliverExhausted: operation('deliveries.redeliverExhausted', {
    post: '/deliveries/redeliver-exhausted',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Repeat exhausted deliveries',
    description:
      'Use it after a receiver was down. Takes two calls, as `deliveries.redeliverMatching`: what was given up at `since` or later gets a new round of attempts, oldest first.',
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

import * as z from 'zod';
import { dateTime } from './field/date.ts';
import { list } from './field/list.ts';
import { wholeNumber } from './field/text-and-number.ts';
import { enumeration, model } from './model.ts';

/** The outcome of a delivery attempt, as a class: never an address or an error text. */
export const AttemptOutcome = enumeration('AttemptOutcome', 'How one delivery attempt ended.', [
  'succeeded',
  'http_error',
  'redirected',
  'gone',
  'timeout',
  'connection_failed',
  'tls_failed',
  'dns_failed',
  'blocked_address',
  'worker_lost',
]);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** One attempt to post a result to its callback address (`requests.deliveries`). */
export const DeliveryAttempt = model(
  'DeliveryAttempt',
  'One attempt to post a result to its callback address.',
  {
    number: wholeNumber().meta({ description: 'Which attempt, from 1.' }),
    at: dateTime().meta({ description: 'When it started.' }),
    outcome: AttemptOutcome.meta({ description: 'How it ended.' }),
    status_code: wholeNumber()
      .nullable()
      .meta({ description: 'The HTTP status the receiver answered; null when none came.' }),
    duration_ms: wholeNumber().meta({ description: 'How long it took, in milliseconds.' }),
    response_snippet: z.string().nullable().meta({
      description: 'The start of what the receiver answered, at most 2 KB; null when nothing came.',
    }),
  },
);
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/**
 * The status of a delivery. `superseded`: a newer version of the result replaced it before it was done; `erased`: its request was
 * erased first.
 */
export const DeliveryStatus = enumeration('DeliveryStatus', 'The state of a delivery.', [
  'pending',
  'delivered',
  'exhausted',
  'superseded',
  'erased',
]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** One version of a result on its way to the callback address (`requests.deliveries`). */
export const Delivery = model('Delivery', 'One version of a result on its way to the callback address.', {
  delivery_id: z.string().meta({ description: 'The id of the delivery.' }),
  version: wholeNumber().meta({ description: 'The version of the result it carries, from 1.' }),
  status: DeliveryStatus.meta({ description: 'Its current state.' }),
  next_attempt_at: dateTime().nullable().meta({
    description:
      'When the next attempt is due; in the past: as soon as its turn comes. Null when none is due.',
  }),
  paused_since: dateTime().nullable().meta({
    description: 'Since when its receiver is paused; a redelivery tries it at once. Null while it is not.',
  }),
  attempts: list(DeliveryAttempt).meta({ description: 'The attempts so far, first to last.' }),
});
export type Delivery = z.infer<typeof Delivery>;

/** All deliveries of one request, in the order of their versions. */
export const DeliveryList = model('DeliveryList', 'All deliveries of one request.', {
  items: list(Delivery).meta({ description: 'The deliveries, in the order of their versions.' }),
});
export type DeliveryList = z.infer<typeof DeliveryList>;

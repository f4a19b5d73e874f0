import * as z from 'zod';
import { DeliveryAttempt, DeliveryStatus } from './delivery.ts';
import { dateTime } from './field/date.ts';
import { list } from './field/list.ts';
import { wholeNumber } from './field/text-and-number.ts';
import { enumeration, model } from './model.ts';

/**
 * What happened.
 *
 * | type                     | when                                                                                    |
 * |--------------------------|-----------------------------------------------------------------------------------------|
 * | `request.answered`       | the first result of a request is complete                                               |
 * | `request.failed`         | the first result of a request is `error_verifying`                                      |
 * | `result.corrected`       | another result replaced the first                                                       |
 * | `request.overdue`        | `Needed-By` passed before the first result                                              |
 * | `request.held`           | an operator has to review an output of it; only operators have this event               |
 * | `batch.ended`            | no row of a batch waits for a result any more                                           |
 * | `payer.unavailable`      | a payer that requests of the account wait for has not answered for two minutes          |
 * | `payer.recovered`        | it answers again                                                                        |
 * | `delivery.exhausted`     | the last attempt to post a result to its callback address failed                        |
 * | `endpoint.failing`       | an endpoint has failed for 2 hours, or for 24                                           |
 * | `endpoint.disabled`      | an endpoint failed for 5 days or answered 410, or its maker ended: it gets no more      |
 * | `endpoint.test`          | you asked for it, to try an endpoint                                                    |
 * | `webhook_secret.rotated` | the secret of an account or of an endpoint was replaced                                 |
 * | `key.expiring`           | a key of the account ends by its date within 14 days                                    |
 */
export const EventType = enumeration('EventType', 'What happened.', [
  'request.answered',
  'request.failed',
  'result.corrected',
  'request.overdue',
  'request.held',
  'batch.ended',
  'payer.unavailable',
  'payer.recovered',
  'delivery.exhausted',
  'endpoint.failing',
  'endpoint.disabled',
  'endpoint.test',
  'webhook_secret.rotated',
  'key.expiring',
]);
export type EventType = z.infer<typeof EventType>;

/**
 * Why an endpoint gets no events: it failed for five days, it answered 410 Gone, its owner disabled it, or the key or
 * person that made it has ended.
 */
export const EndpointDisabledReason = enumeration(
  'EndpointDisabledReason',
  'Why an endpoint gets no events.',
  ['failing', 'gone', 'paused', 'maker_ended'],
);
export type EndpointDisabledReason = z.infer<typeof EndpointDisabledReason>;

/** The ids that an event is about, and payers’ names. It has nothing of a patient: read the rest by these ids. */
export const EventData = model('EventData', 'The ids that an event is about.', {
  request_id: z.string().optional().meta({ description: 'The request, for an event about one.' }),
  version: wholeNumber().optional().meta({
    description:
      'The version of the result, for request.answered, request.failed, result.corrected and delivery.exhausted.',
  }),
  batch_id: z.string().optional().meta({ description: 'The batch, for batch.ended.' }),
  payer: z.string().optional().meta({ description: 'The payer, for an event about one.' }),
  since: dateTime().optional().meta({ description: 'Since when it did not answer.' }),
  delivery_id: z.string().optional().meta({ description: 'The delivery, for delivery.exhausted.' }),
  held_id: z.string().optional().meta({ description: 'The held output, for request.held.' }),
  endpoint_id: z.string().optional().meta({
    description: 'The endpoint, for an event about one; absent where the secret of the account was rotated.',
  }),
  key_id: z.string().optional().meta({ description: 'The key, for key.expiring.' }),
  expires_at: dateTime().optional().meta({ description: 'For key.expiring: when the key ends.' }),
  hours: wholeNumber().optional().meta({
    description: 'For endpoint.failing: for how many hours it has failed, 2 or 24.',
  }),
  reason: EndpointDisabledReason.optional().meta({
    description: 'For endpoint.disabled: five days of failures, a 410, or the end of its made_by.',
  }),
});
export type EventData = z.infer<typeof EventData>;

const shape = {
  id: z.string().meta({ description: 'The id of the event, and the webhook-id at every endpoint.' }),
  type: EventType.meta({ description: 'What happened.' }),
  account_id: z.string().meta({ description: 'The account that it happened in.' }),
  occurred_at: dateTime().meta({ description: 'When it happened.' }),
  number: wholeNumber().nullable().meta({
    description:
      'Rises with each event of one request, with gaps: sort by it, since events arrive in any order. Null for an event that is not about a request.',
  }),
  data: EventData.meta({ description: 'What it is about: ids only, never a patient’s data.' }),
};

/** An event as it is posted to an endpoint: ids and the time, never a patient's data. */
export const WebhookEvent = model('WebhookEvent', 'An event as it is posted to an endpoint.', shape);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** An attempt to post an event. What the endpoint answered is not kept. */
export const EventAttempt = model('EventAttempt', 'One attempt to post an event to an endpoint.', {
  number: DeliveryAttempt.shape.number,
  at: DeliveryAttempt.shape.at,
  outcome: DeliveryAttempt.shape.outcome,
  status_code: DeliveryAttempt.shape.status_code,
  duration_ms: DeliveryAttempt.shape.duration_ms,
});
export type EventAttempt = z.infer<typeof EventAttempt>;

/** An event on its way to one endpoint. */
export const EventDelivery = model('EventDelivery', 'An event on its way to one endpoint.', {
  delivery_id: z.string().meta({ description: 'The id of the delivery.' }),
  endpoint_id: z.string().meta({ description: 'The endpoint that it goes to.' }),
  status: DeliveryStatus.meta({ description: 'Its current state.' }),
  reason: z.string().nullable().meta({
    description:
      'Why it was given up: webhook_exhausted, webhook_gone, webhook_blocked_address or endpoint_off; null unless it was.',
  }),
  next_attempt_at: dateTime()
    .nullable()
    .meta({ description: 'When the next attempt is due; null when none is.' }),
  attempts: list(EventAttempt).meta({ description: 'The attempts so far, first to last.' }),
});
export type EventDelivery = z.infer<typeof EventDelivery>;

/** An event in a list, with its deliveries. */
export const ListedEvent = model('ListedEvent', 'An event, and its way to the endpoints.', {
  ...shape,
  deliveries: list(EventDelivery).meta({
    description: 'One for each endpoint of the caller that had its type when it happened.',
  }),
});
export type ListedEvent = z.infer<typeof ListedEvent>;

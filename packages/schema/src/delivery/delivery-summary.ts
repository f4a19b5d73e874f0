import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { AttemptOutcome } from './attempt-outcome.ts';
import { DeliveryAttempt } from './delivery-attempt.ts';
import { DeliveryStatus } from './delivery.ts';

const summaryShape = {
  delivery_id: z.string().meta({ description: 'The id of the delivery, and the webhook-id of its message.' }),
  request_id: z.string().meta({ description: 'The request whose result it carries.' }),
  account_id: z.string().meta({ description: 'The account of that request.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  payer: z.string().meta({ description: "The payer's name, as that request has it." }),
  patient_initials: z.string().nullable().meta({
    description:
      "The initials of the patient's name, as in J. D.; null where it has no letters, and once the data was erased.",
  }),
  version: wholeNumber().meta({ description: 'The version of the result it carries, from 1.' }),
  status: DeliveryStatus.meta({ description: 'Its current state.' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it was given up, for example webhook_exhausted; null unless it was.' }),
  host: z
    .string()
    .nullable()
    .meta({ description: 'The host and port that it goes to; null when its stored address does not open.' }),
  accepted_at: dateTime().meta({ description: 'When the result was accepted.' }),
  done_at: dateTime()
    .nullable()
    .meta({ description: 'When it was delivered, given up or replaced; null while attempts are due.' }),
  next_attempt_at: dateTime().nullable().meta({
    description:
      'When the next attempt is due: not before its receiver is tried again, where that is paused. In the past: as soon as its turn comes. Null when none is due.',
  }),
  paused_since: dateTime().nullable().meta({
    description:
      'Since when its receiver is paused, since most of its answers were failures; a redelivery tries it at once. Null while it is not, and when no attempt is due.',
  }),
  attempt_count: wholeNumber().meta({ description: 'How many attempts were made, over all rounds.' }),
  last_attempt_at: dateTime().nullable().meta({ description: 'When the last one started; null before it.' }),
  last_outcome: AttemptOutcome.nullable().meta({ description: 'How the last one ended; null before it.' }),
  last_status_code: wholeNumber()
    .nullable()
    .meta({ description: 'The HTTP status that the receiver answered it with; null when none came.' }),
};

/** A delivery in a list (`deliveries.list`): how it stands and how its last attempt ended. */
export const DeliverySummary = model('DeliverySummary', 'A delivery and its last attempt.', summaryShape);
/** {@link DeliverySummary} as a type. */
export type DeliverySummary = z.infer<typeof DeliverySummary>;

/**
 * One page of deliveries. With filters that few of them match it may hold fewer than requested, or none, although there
 * are more: a call reads a bounded number of them. Only a `next_cursor` of null marks the end.
 */
export const DeliverySummaryList = model('DeliverySummaryList', 'One page of deliveries.', {
  items: list(DeliverySummary).meta({
    description:
      'The deliveries, newest first. With filters that few of them meet a page may be short or empty before the last.',
  }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The cursor of the next page; null on the last, and only there.' }),
});
/** {@link DeliverySummaryList} as a type. */
export type DeliverySummaryList = z.infer<typeof DeliverySummaryList>;

/** One delivery with every attempt (`deliveries.get`). */
export const DeliveryDetail = model('DeliveryDetail', 'One delivery with every attempt.', {
  ...summaryShape,
  attempts: list(DeliveryAttempt).meta({ description: 'The attempts so far, first to last.' }),
});
/** {@link DeliveryDetail} as a type. */
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** Names one delivery. Any string passes: a malformed id answers 404, like an unknown one. */
export const DeliveryRef = model('DeliveryRef', 'Names one delivery.', {
  delivery_id: z.string().meta({ description: 'The id of the delivery.' }),
});
/** {@link DeliveryRef} as a type. */
export type DeliveryRef = z.infer<typeof DeliveryRef>;

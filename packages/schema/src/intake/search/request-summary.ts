import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { enumeration, model } from '../../model.ts';
import { RequestState } from '../../request-state.ts';
import { VerificationSource } from '../../verification/verification-source.ts';
import { neededByField, serviceDateField } from '../asked-when.ts';

/** What several models show of a request. Nothing of the patient is among them. */
export const requestSummaryShape = {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
  account_id: z.string().meta({ description: 'The account that created it.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
  payer: z.string().meta({ description: "The payer's name, as the request has it." }),
  received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
  state: RequestState.meta({ description: 'How far the request has come.' }),
  error_reason: z.string().nullable().meta({ description: 'Why it failed; null when nothing failed.' }),
  channel: VerificationSource.meta({
    description: 'How it is verified: the channel that it waits in, or was in last.',
  }),
  erased_at: dateTime().nullable().meta({
    description: 'When its data was erased, at the end of its retention; null while it is there.',
  }),
  needed_by: neededByField(),
  overdue: z.boolean().meta({
    description:
      'Whether the first result came later than it was needed, or has not come although that time is past; false where no time was given.',
  }),
};

/** What the provider knows by a request, in one word. Append-only. */
export const RequestAnswer = enumeration('RequestAnswer', 'What is known by a request, in one word.', [
  'pending',
  'active',
  'inactive',
  /** The result does not say whether the plan covers the patient. */
  'unstated',
  'not_verified',
]);
export type RequestAnswer = z.infer<typeof RequestAnswer>;

/** A request in a list (`requests.search`): its state, and as much of the patient as a list needs. */
export const RequestSummary = model('RequestSummary', 'The state of a request and its answer.', {
  ...requestSummaryShape,
  patient_initials: z.string().nullable().meta({
    description:
      "The initials of the patient's name, as in J. D.; null where it has no letters, and once the data was erased.",
  }),
  service_date: serviceDateField(),
  answer: RequestAnswer.nullable().meta({
    description:
      'The result’s answer, delivered or not: active if one of its coverages is, unstated if none has a status; pending before it, not_verified where it could not be verified. Null once the data was erased.',
  }),
  answer_reason: z.string().nullable().meta({
    description: 'Why it could not be verified, also where that was not delivered; null otherwise.',
  }),
  held: z.boolean().meta({ description: 'Whether an output about it waits for an operator.' }),
});
export type RequestSummary = z.infer<typeof RequestSummary>;

/**
 * One page of requests. With filters that few of them match it may hold fewer than requested, or none, although there
 * are more: a call reads a bounded number of them. Only a `next_cursor` of null marks the end.
 */
export const RequestSummaryList = model('RequestSummaryList', 'One page of requests.', {
  items: list(RequestSummary).meta({
    description:
      'The requests, newest first. With filters that few of them meet a page may be short or empty before the last.',
  }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The cursor of the next page; null on the last, and only there.' }),
});
export type RequestSummaryList = z.infer<typeof RequestSummaryList>;

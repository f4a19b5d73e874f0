import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { DeliveryStatus } from '../delivery.ts';
import { ErrorReason } from '../error-reason.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { initialsOf } from '../patient/person-name.ts';
import { VerificationSource } from '../verification/insurance-plan-data.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

/** Since when the caller's work is counted (`work.day`). */
export const WorkDayStart = model('WorkDayStart', "Since when the caller's work is counted.", {
  since: dateTime().optional().meta({
    description: 'When the day began where the caller is; 24 hours ago when absent, and at the earliest.',
  }),
});
export type WorkDayStart = z.infer<typeof WorkDayStart>;

/** The caller's own work of a day (`work.day`). */
export const WorkDay = model('WorkDay', "The caller's own work of a day, by portal and phone.", {
  done_count: wholeNumber().meta({ description: 'Results that the caller submitted.' }),
  failed_count: wholeNumber().meta({ description: 'Requests that the caller could not verify.' }),
  seconds_p50: z.number().nullable().meta({
    description: 'From taking a request to its end, the median of both; null without any.',
  }),
  draft_count: wholeNumber().meta({
    description: 'The drafts of unfinished requests that the caller saved last, whatever the day.',
  }),
});
export type WorkDay = z.infer<typeof WorkDay>;

/** The caller's latest correction of their own result (`work.done`). */
export const OwnCorrection = model('OwnCorrection', "The caller's latest correction of their own result.", {
  status: z.enum(['applied', 'held', 'dismissed']).meta({
    description:
      'applied: it is the result. held: it waits for an operator. dismissed: an operator refused it.',
  }),
  corrected_at: dateTime().meta({ description: 'When the caller submitted it.' }),
  reason: z.string().meta({ description: 'Why.' }),
  decided_at: dateTime().nullable().meta({
    description: 'When an operator applied or dismissed it; null before, and where none had to.',
  }),
  decided_by_name: z.string().nullable().meta({ description: 'Their name; null without one.' }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'Why it was dismissed; null where the operator gave none.' }),
});
export type OwnCorrection = z.infer<typeof OwnCorrection>;

/** What the caller did with one request (`work.done`). */
export const DoneWork = model('DoneWork', 'What the caller did with one request, by portal or phone.', {
  request_id: z.string().meta({ description: 'The request.' }),
  payer: z.string().meta({ description: 'Its payer, as it was posted.' }),
  patient_initials: z.string().nullable().meta({
    description: 'The initials of the patient, such as J. D.; null for a name without letters.',
  }),
  channel: VerificationSource.meta({ description: 'How the payer was asked.' }),
  attempt: wholeNumber().meta({
    description: 'The number of the attempt that outcome and result_version are of.',
  }),
  ended_at: dateTime().meta({
    description: 'When the caller first submitted it, or could not verify it; a correction leaves it.',
  }),
  outcome: z.enum(['succeeded', 'failed']).meta({
    description:
      'succeeded: the caller submitted a result. failed: the caller could not verify it. As corrected, once that is applied.',
  }),
  error_reason: ErrorReason.nullable().meta({ description: 'Why it could not; null for a result.' }),
  result_version: wholeNumber().nullable().meta({
    description: 'The version of the result that it became; null while another channel is asked.',
  }),
  delivery: DeliveryStatus.nullable().meta({
    description: 'The state of that version’s webhook; null without a version.',
  }),
  applied_at: dateTime().nullable().meta({
    description: 'When that version was accepted; null without a version.',
  }),
  can_take_back: z.boolean().meta({
    description:
      'Whether `work.takeBack` returns it: it waits in the next channel, and no verifier has leased it there.',
  }),
  correction: OwnCorrection.nullable().meta({
    description: 'The latest correction, also one that waits; null without one.',
  }),
});
export type DoneWork = z.infer<typeof DoneWork>;

/** The caller's finished work of a day (`work.done`). */
export const DoneWorkList = model('DoneWorkList', "The caller's finished work of a day.", {
  items: list(DoneWork).meta({ description: 'The latest first, 300 at most.' }),
});
export type DoneWorkList = z.infer<typeof DoneWorkList>;

/** The operations of `work` about the caller's own day. */
export const ownDayOperations = (schemas: Schemas) => ({
  day: operation('work.day', {
    get: '/work/day',
    scopes: ['verify'],
    audience: ['verifier'],
    tag: 'Work',
    summary: "Count the caller's day",
    description:
      'Counts the results that the caller submitted and the requests that it could not verify since `since`, by portal and phone, with the median time from claim to end; and the caller’s drafts.',
    limit: 'reads',
    input: WorkDayStart,
    output: WorkDay,
    example: { since: '2026-11-20T05:00:00Z' },
    answers: { day: { done_count: 42, failed_count: 3, seconds_p50: 131.5, draft_count: 1 } },
  }),

  done: operation('work.done', {
    get: '/work/done',
    scopes: ['verify'],
    audience: ['verifier'],
    tag: 'Work',
    summary: "List the caller's finished work",
    description:
      'Lists the requests that the caller submitted a result for or could not verify since `since`, by portal and phone, the latest first, with the state of each webhook and of the latest correction. For a day the caller may read each of them: `requests.get`, `requests.result`, `requests.benefits`, `requests.attempts`.',
    ownWork: true,
    limit: 'reads',
    input: WorkDayStart,
    output: DoneWorkList,
    example: { since: '2026-11-20T05:00:00Z' },
    answers: {
      one: {
        items: [
          {
            request_id: EXAMPLE_IDS.request,
            payer: exampleRequest(schemas).payer_info.name,
            patient_initials: initialsOf(exampleRequest(schemas).patient_info.name),
            channel: 'manual_phone_call',
            ended_at: '2026-11-20T10:15:00.000Z',
            outcome: 'succeeded',
            error_reason: null,
            result_version: 1,
            delivery: 'delivered',
            attempt: 2,
            applied_at: '2026-11-20T10:15:00.000Z',
            can_take_back: false,
            correction: {
              status: 'held',
              corrected_at: '2026-11-20T10:32:00.000Z',
              reason: 'I typed the end date of another plan.',
              decided_at: null,
              decided_by_name: null,
              note: null,
            },
          },
        ],
      },
    },
  }),
});

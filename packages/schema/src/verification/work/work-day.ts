import * as z from 'zod';
import { DeliveryStatus } from '../../delivery/delivery.ts';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';
import { ErrorReason } from '../../reason/error-reason.ts';
import { VerificationSource } from '../verification-source.ts';

/** Since when the caller's work is counted (`work.day`). */
export const WorkDayStart = model('WorkDayStart', "Since when the caller's work is counted.", {
  since: dateTime().optional().meta({
    description: 'When the day began where the caller is; 24 hours ago when absent, and at the earliest.',
  }),
});
/** {@link WorkDayStart} as a type. */
export type WorkDayStart = z.infer<typeof WorkDayStart>;

/** The caller's own work of a day (`work.day`). */
export const WorkDay = model('WorkDay', "The caller's own work of a day, by portal and phone.", {
  done_count: wholeNumber().meta({ description: 'Results that the caller submitted.' }),
  failed_count: wholeNumber().meta({ description: 'Requests that the caller could not verify.' }),
  seconds_p50: z.number().nullable().meta({
    description: 'From taking a request to its end, the median of both; null without any.',
  }),
  draft_count: wholeNumber().meta({ description: "The caller's drafts, of whatever day." }),
});
/** {@link WorkDay} as a type. */
export type WorkDay = z.infer<typeof WorkDay>;

/** What the caller did with one request (`work.done`). */
export const DoneWork = model('DoneWork', 'What the caller did with one request, by portal or phone.', {
  request_id: z.string().meta({ description: 'The request.' }),
  payer: z.string().meta({ description: 'Its payer, as it was posted.' }),
  patient_initials: z.string().nullable().meta({
    description: 'The initials of the patient, such as J. D.; null for a name without letters.',
  }),
  channel: VerificationSource.meta({ description: 'How the payer was asked.' }),
  ended_at: dateTime().meta({ description: 'When the caller submitted it, or could not verify it.' }),
  outcome: z.enum(['succeeded', 'failed']).meta({
    description: 'succeeded: the caller submitted a result. failed: the caller could not verify it.',
  }),
  error_reason: ErrorReason.nullable().meta({ description: 'Why it could not; null for a result.' }),
  result_version: wholeNumber().nullable().meta({
    description: 'The version of the result that it became; null while another channel is asked.',
  }),
  delivery: DeliveryStatus.nullable().meta({
    description: 'How the webhook with that version stands; null without a version.',
  }),
});
/** {@link DoneWork} as a type. */
export type DoneWork = z.infer<typeof DoneWork>;

/** The caller's finished work of a day (`work.done`). */
export const DoneWorkList = model('DoneWorkList', "The caller's finished work of a day.", {
  items: list(DoneWork).meta({ description: 'The latest first, 300 at most.' }),
});
/** {@link DoneWorkList} as a type. */
export type DoneWorkList = z.infer<typeof DoneWorkList>;

import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';

/** Why a request is erased before its account's retention ends. A slug, since it stays: text could name the patient. */
export const ErasureReason = enumeration('ErasureReason', 'Why a request is erased.', [
  'wrong_patient',
  'wrong_recipient',
  'posted_twice',
  'patient_asked',
  'not_authorized',
]);
export type ErasureReason = z.infer<typeof ErasureReason>;

/** Why a request's data was erased: the given reason, or `retention` once its account's retention was over. */
export const ErasedBecause = enumeration('ErasedBecause', 'Why the data of a request is gone.', [
  'retention',
  ...ErasureReason.options,
]);
export type ErasedBecause = z.infer<typeof ErasedBecause>;

/** Where a copy of erased data may still be. */
export const CopyKind = enumeration('CopyKind', 'Where a copy of erased data may still be.', [
  'table_file',
  'write_ahead_log',
  'archived_log',
  'standby',
  'backup',
]);
export type CopyKind = z.infer<typeof CopyKind>;

/** A copy of erased data that the erasure does not reach. All copies are encrypted, as the data was. */
export const CopyLeft = model('CopyLeft', 'A copy of erased data that the erasure does not reach.', {
  kind: CopyKind.meta({ description: 'Where it is.' }),
  name: z.string().nullable().meta({
    description: 'Which one: the name of a standby, or the position of the log; null where there is one.',
  }),
  until: dateTime().nullable().meta({
    description: 'When it is gone at the latest; null where the service cannot know.',
  }),
  ends: z.string().meta({ description: 'What ends it, in a sentence.' }),
});
export type CopyLeft = z.infer<typeof CopyLeft>;

/** How much an erasure overwrote or removed. */
export const ErasedCounts = model('ErasedCounts', 'How much was overwritten or removed.', {
  results: wholeNumber().meta({ description: 'Versions of its result.' }),
  deliveries: wholeNumber().meta({ description: 'Messages to its callback address.' }),
  deliveries_ended: wholeNumber().meta({ description: 'Of these, those that were still to be sent.' }),
  responses: wholeNumber().meta({ description: 'Beginnings of what receivers answered.' }),
  attempts: wholeNumber().meta({ description: 'Attempts to verify it with notes, quotes or references.' }),
  exchanges: wholeNumber().meta({ description: 'Exchanges with a payer.' }),
  drafts: wholeNumber().meta({ description: 'Drafts of verifiers.' }),
  held_outputs: wholeNumber().meta({ description: 'Held outputs that named it, or became its result.' }),
  held_entries: wholeNumber().meta({ description: 'Entries that named it in held outputs of others.' }),
});
export type ErasedCounts = z.infer<typeof ErasedCounts>;

/** What an erasure did and what it does not reach. It is written in the audit, and sealed there. */
export const ErasureCertificate = model(
  'ErasureCertificate',
  'What an erasure did, and which copies it does not reach.',
  {
    request_id: z.string().meta({ description: 'The request.' }),
    account_id: z.string().meta({ description: 'Its account.' }),
    reason: ErasureReason.meta({ description: 'Why it was erased.' }),
    asked_by: z.string().meta({ description: 'The key or person that asked.' }),
    asked_at: dateTime().meta({ description: 'When.' }),
    confirmed_by: z.string().meta({ description: 'The person that confirmed.' }),
    by_one_person: z.boolean().meta({
      description:
        'Whether only one person was active on the installation, who may have asked and confirmed.',
    }),
    erased_at: dateTime().meta({ description: 'When the data was overwritten.' }),
    erased: ErasedCounts.meta({ description: 'How much.' }),
    copies: list(CopyLeft).meta({ description: 'The copies that are still there, and until when.' }),
  },
);
export type ErasureCertificate = z.infer<typeof ErasureCertificate>;

/** The erasure of a request, asked for or done (`requests.erase`, `erasures.confirm`). */
export const Erasure = model('Erasure', 'The erasure of a request, asked for or done.', {
  erasure_id: z.string().meta({ description: 'The id of the erasure.' }),
  request_id: z.string().meta({ description: 'The request.' }),
  account_id: z.string().meta({ description: 'Its account.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  reason: ErasureReason.meta({ description: 'Why.' }),
  asked_by: z.string().meta({ description: 'The key or person that asked.' }),
  asked_by_name: z.string().nullable().meta({ description: 'Its present name; null for a key without one.' }),
  asked_at: dateTime().meta({ description: 'When.' }),
  lapses_at: dateTime().nullable().meta({
    description: 'Until when it can be confirmed, 7 days; null once it is done.',
  }),
  confirmed_by: z.string().nullable().meta({ description: 'The person that confirmed; null before.' }),
  confirmed_by_name: z.string().nullable().meta({ description: 'Their present name; null before.' }),
  erased_at: dateTime().nullable().meta({ description: 'When the data was overwritten; null before.' }),
  certificate: ErasureCertificate.nullable().meta({
    description: 'Null before, and once its month of the audit was dropped.',
  }),
});
export type Erasure = z.infer<typeof Erasure>;

/** An erasure in the list (`erasures.list`). */
export const ListedErasure = model('ListedErasure', 'An erasure, and whether the caller may confirm it.', {
  ...Erasure.shape,
  erased_at: dateTime().nullable().meta({
    description:
      'When the data was overwritten; null before. Also where no one confirmed it, since the retention of its account ended first.',
  }),
  may_confirm: z.boolean().meta({
    description: 'Whether it waits, and the caller is a person who may be its second one.',
  }),
});
export type ListedErasure = z.infer<typeof ListedErasure>;

/** One page of the erasures that were asked for, the newest first (`erasures.list`). */
export const ErasureList = model('ErasureList', 'One page of erasures, newest first.', {
  items: list(ListedErasure).meta({ description: 'Erasures, newest first; those that lapsed are left out.' }),
  next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
});
export type ErasureList = z.infer<typeof ErasureList>;

/** The body that asks for an erasure (`requests.erase`). */
export const EraseRequest = model('EraseRequest', 'Asks for the erasure of a request.', {
  reason: ErasureReason.meta({ description: 'Why. It stays, with who asked and who confirmed.' }),
});
export type EraseRequest = z.infer<typeof EraseRequest>;

/** Longer than any member id: a payer's has 80 characters at most (X12 005010, NM109). */
const ENDING_LENGTH_MAX = 200;

/** The body that confirms an erasure (`erasures.confirm`). */
export const ConfirmErasure = model('ConfirmErasure', 'Confirms the erasure of a request.', {
  member_id_ending: z.string().min(1).max(ENDING_LENGTH_MAX).meta({
    description:
      'The last four characters of the member id of its patient, an id of fewer whole; where it has none, of the request id.',
  }),
});
export type ConfirmErasure = z.infer<typeof ConfirmErasure>;

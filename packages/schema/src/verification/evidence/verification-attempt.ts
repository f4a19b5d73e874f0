import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';
import { ErrorReason } from '../../reason/error-reason.ts';
import { FixedBy } from '../../reason/fixed-by.ts';
import { VerificationSource } from '../verification-source.ts';
import { AttemptResult } from './attempt-result.ts';
import { FieldProvenance } from './field-provenance.ts';

/** One attempt to verify with the payer over one channel (`requests.attempts`). */
export const VerificationAttempt = model(
  'VerificationAttempt',
  'One attempt to verify with the payer, over one channel.',
  {
    number: wholeNumber().meta({ description: 'Which attempt, from 1.' }),
    channel: VerificationSource.nullable().meta({
      description: 'How the payer was asked; null for an output that did not say.',
    }),
    started_at: dateTime().meta({ description: 'When it began.' }),
    ended_at: dateTime().nullable().meta({ description: 'When it ended; null while it is under way.' }),
    outcome: AttemptResult.meta({ description: 'Its current state.' }),
    error_reason: ErrorReason.nullable().meta({ description: 'Why it failed; null when it did not.' }),
    fixed_by: FixedBy.nullable().meta({ description: 'Who has to act on the error reason.' }),
    explanation: z
      .string()
      .nullable()
      .meta({ description: 'The error reason as a sentence for staff; null without one.' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: "The payer's reference number for the call or inquiry; null when none." }),
    provenance: list(FieldProvenance).meta({
      description: 'Where fields of the result were read; empty if not reported.',
    }),
    result_version: wholeNumber()
      .nullable()
      .meta({ description: 'The version of the result that it became; null when it became none.' }),
    on_call_until: dateTime().nullable().meta({
      description: 'Until when the verifier is on the phone with the payer; null when it is not.',
    }),
    in_portal_until: dateTime().optional().meta({
      description: "Until when the verifier reads in the payer's portal; absent when it does not.",
    }),
    note: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The internal note of the verifier; present for operators and verifiers only.' }),
    same_patient_confirmed: z.literal(true).optional().meta({
      description:
        'The verifier confirmed that it is the patient, where the data did not show it; absent otherwise, and present for operators and verifiers only.',
    }),
    verifier_name: z.string().optional().meta({
      description:
        'The name of the person who tried; absent for a key, and present for operators and verifiers only.',
    }),
    key_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The key of the verifier; present for operators and verifiers only.' }),
  },
);
export type VerificationAttempt = z.infer<typeof VerificationAttempt>;

/** Every attempt at one request, first to last. */
export const VerificationAttemptList = model('VerificationAttemptList', 'Every attempt at one request.', {
  items: list(VerificationAttempt).meta({ description: 'The attempts, first to last.' }),
});
export type VerificationAttemptList = z.infer<typeof VerificationAttemptList>;

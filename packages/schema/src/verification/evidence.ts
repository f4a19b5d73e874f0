import * as z from 'zod';
import { ErrorReason, FixedBy } from '../error-reason.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { VerificationSource } from './insurance-plan-data.ts';

/**
 * The state of one verification attempt. `working`: leased now. `lease_expired`: its verifier went silent. `timed_out`:
 * no verifier took the request within its channel's time. `superseded`: the request got its outcome another way while the
 * lease held. `held`: what an agent found waits for a person's look, or was dismissed by it. `call_back`: the payer asked to
 * be called back later; it does not count as a failure.
 */
export const AttemptResult = enumeration('AttemptResult', 'The state of one attempt at a verification.', [
  'working',
  'succeeded',
  'failed',
  'released',
  'lease_expired',
  'timed_out',
  'superseded',
  'held',
  'call_back',
]);
export type AttemptResult = z.infer<typeof AttemptResult>;

/** The source of one field of a result, which lets a reader distinguish the payer's statements from inferences. */
export const FieldProvenance = model('FieldProvenance', 'Where one field of a result was read.', {
  field: z.string().min(1).meta({
    description:
      'JSON pointer into insurance_data, for example /0/plan_info/eligibility_status; of a benefit with a quote /0/benefits/b3, its benefit_id.',
  }),
  source: z
    .string()
    .min(1)
    .meta({ description: 'Where it was read: a page, a menu, a person, a segment; free text.' }),
  quote: z.string().nullable().optional().meta({ description: 'The words it was read from, verbatim.' }),
});
export type FieldProvenance = z.infer<typeof FieldProvenance>;

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
      .meta({ description: 'The error reason in a sentence; null without one.' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: "The payer's reference number for the call or inquiry; null when none." }),
    representative: z
      .string()
      .optional()
      .meta({ description: "The name of the payer's representative on the phone; absent when not given." }),
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
      .meta({ description: 'The verifier’s internal note, for operators and verifiers only.' }),
    same_patient_confirmed: z.literal(true).optional().meta({
      description:
        'The verifier confirmed the patient, where the data did not show it; for operators and verifiers only.',
    }),
    correction_reason: z.string().optional().meta({
      description: 'Why this corrects their own result; for operators and verifiers only.',
    }),
    verifier_name: z.string().optional().meta({
      description: 'The name of the person who tried; for operators and verifiers only.',
    }),
    key_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The verifier; for operators and verifiers only.' }),
  },
);
export type VerificationAttempt = z.infer<typeof VerificationAttempt>;

/** Every attempt at one request, first to last. */
export const VerificationAttemptList = model('VerificationAttemptList', 'Every attempt at one request.', {
  items: list(VerificationAttempt).meta({ description: 'The attempts, first to last.' }),
});
export type VerificationAttemptList = z.infer<typeof VerificationAttemptList>;

/** One inquiry (X12 270) that the API channel sent to a payer, and the answer. */
export const X12Exchange = model(
  'X12Exchange',
  'One inquiry (X12 270) that the API channel sent to a payer, and what came back.',
  {
    control_number: wholeNumber().meta({
      description: "ISA13 of the inquiry: what the payer's support asks for.",
    }),
    payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
    started_at: dateTime().meta({ description: 'When it was sent.' }),
    duration_ms: wholeNumber().meta({ description: 'How long it took.' }),
    status_code: wholeNumber()
      .nullable()
      .meta({ description: 'The HTTP status; null when no status line came.' }),
    error_reason: ErrorReason.nullable().meta({
      description: 'What the answer was read as; null when it was a result.',
    }),
    fixed_by: FixedBy.nullable().meta({ description: 'Who has to act on the error reason.' }),
    explanation: z
      .string()
      .nullable()
      .meta({ description: 'The error reason in a sentence; null without one.' }),
    payer_codes: list(z.string()).meta({
      description:
        "The payer's own codes, the deciding one first, such as `AAA 72`; empty when it sent none.",
    }),
    number: wholeNumber()
      .optional()
      .meta({ description: 'Which inquiry of the request it is, from 1; a retry has the same.' }),
    inquiry: z.string().meta({ description: 'The 270 as it was sent.' }),
    answer: z.string().nullable().meta({
      description:
        'What came back: UTF-8, else Latin-1; for the account that asked the X12 in it. Null when there is none.',
    }),
  },
);
export type X12Exchange = z.infer<typeof X12Exchange>;

/** Every exchange about one request, first to last; each retry has its own. */
export const X12ExchangeList = model('X12ExchangeList', 'Every exchange with a payer about one request.', {
  items: list(X12Exchange).meta({ description: 'The exchanges, first to last.' }),
});
export type X12ExchangeList = z.infer<typeof X12ExchangeList>;

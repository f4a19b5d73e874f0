import * as z from 'zod';
import { SubmittedCoverage } from '../benefits/submitted-benefits.ts';
import { VERIFICATION_REASON_SLUGS } from '../error-reason.ts';
import { date, dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import type { createPayer } from '../intake/request-info.ts';
import { type createRequestModel, neededByField, serviceDateField } from '../intake/request-view.ts';
import { enumeration, model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { FieldProvenance, VerificationAttempt } from './evidence.ts';
import { type createInsurancePlanData, VerificationSource } from './insurance-plan-data.ts';
import { sheetField } from './sheet/sheet-row.ts';

/** Proves that the caller holds the lease. Any string passes: a malformed token answers 409, like a stale one. */
export function leaseToken() {
  return z.string().meta({ description: 'The lease_token of the claim.' });
}

/** The name of the person who answered the phone at the payer. */
export function representativeField() {
  return z
    .string()
    .nullable()
    .optional()
    .meta({ description: "The name of the payer's representative on the phone." });
}

/** The payer's number for a call or an inquiry. */
export function referenceField() {
  return z
    .string()
    .nullable()
    .optional()
    .meta({ description: "The payer's reference number for the call or inquiry." });
}

/** What a verifier can work on (`work.claim`). */
export function createClaimWork<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('ClaimWork', 'What a verifier can work on.', {
    channels: list(VerificationSource)
      .min(1)
      .meta({ description: 'The channels the verifier works, at least one.' }),
    payers: list(payer)
      .min(1)
      .optional()
      .meta({ description: 'Only requests for these payers; absent means all.' }),
    max: z.int().min(1).max(50).default(1).meta({
      description: 'How many requests to lease at most, 1 to 50; large ones come in smaller numbers.',
    }),
    wait_seconds: z
      .int()
      .min(0)
      .max(25)
      .default(0)
      .meta({ description: 'How long to wait for work to arrive, 0 to 25 seconds.' }),
  });
}

/** Why a verifier failed: every slug of `ERROR_REASONS` except the delivery's. */
export const FailureReason = enumeration(
  'FailureReason',
  'Why a verifier could not verify.',
  VERIFICATION_REASON_SLUGS,
);
export type FailureReason = z.infer<typeof FailureReason>;

/** Reports that this channel cannot verify the request (`work.fail`). */
export const FailWork = model('FailWork', 'Reports a failed channel.', {
  lease_token: leaseToken(),
  error_reason: FailureReason.meta({ description: 'Why.' }),
  note: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'What the next verifier should know; never shown to the provider.' }),
  reference: referenceField(),
  representative: representativeField(),
  final: z
    .boolean()
    .optional()
    .meta({ description: 'True: no other channel can verify it either, so the request ends here.' }),
});
export type FailWork = z.infer<typeof FailWork>;

/** The status of a request after its channel failed. */
export const FailedStatus = enumeration('FailedStatus', 'What became of a request whose channel failed.', [
  'next_channel',
  'error_verifying',
]);
export type FailedStatus = z.infer<typeof FailedStatus>;

/** The answer about a request whose channel failed (`work.fail`). */
export const FailedWork = model('FailedWork', 'What became of a request whose channel failed.', {
  status: FailedStatus.meta({ description: 'Passed to the next channel, or ended.' }),
  next_channel: VerificationSource.nullable().meta({
    description: 'The channel it waits in now; null when it has ended.',
  }),
});
export type FailedWork = z.infer<typeof FailedWork>;

/** The members of a result that a verifier submits or corrects. */
function findings<P extends PayerNames>(insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>) {
  return {
    insurance_data: list(insurancePlanData).meta({
      description: 'Every coverage that was found. Their verification_source is the leased channel.',
    }),
    benefits: list<z.ZodType<SubmittedCoverage, SubmittedCoverage>>(SubmittedCoverage).optional().meta({
      description:
        'The payer’s other statements about these coverages, for `requests.benefits`. 500 benefits in all at most.',
    }),
    note: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'For colleagues; never shown to the provider.' }),
    reference: referenceField(),
    representative: representativeField(),
    same_patient_confirmed: z.boolean().optional().meta({
      description:
        'True: the verifier has made sure that it is the patient of the request, where `patient_unconfirmed` was answered. Kept with the attempt. It does not admit another patient.',
    }),
    provenance: list(FieldProvenance)
      .optional()
      .meta({ description: 'Where fields were read, as far as the verifier knows.' }),
  };
}

/** Submits a verification's findings (`work.submit`). */
export function createSubmitWork<P extends PayerNames>(
  insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>,
) {
  return model('SubmitWork', 'Submits a result.', {
    lease_token: leaseToken(),
    ...findings(insurancePlanData),
  });
}

/** Corrects the caller's own result (`work.correct`). */
export function createCorrectWork<P extends PayerNames>(
  insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>,
) {
  const { insurance_data: found, ...others } = findings(insurancePlanData);
  return model('CorrectWork', "Corrects the caller's own result: the whole result as it should be.", {
    insurance_data: found.optional().meta({
      description: 'Every coverage that was found; absent where error_reason is given. One of the two is.',
    }),
    error_reason: FailureReason.optional().meta({
      description: 'Why it could not be verified; absent where insurance_data is given.',
    }),
    ...others,
    reason: z.string().min(3).max(500).meta({
      description: 'Why, 3 to 500 characters. The provider reads it with the result.',
    }),
  });
}

/** What became of a verifier's findings. */
export const SubmittedWork = model('SubmittedWork', 'What became of the findings.', {
  status: z.enum(['applied', 'held']).meta({
    description:
      "applied: the result is on its way. held: an agent found it, and the payer's route has a person look first.",
  }),
  version: wholeNumber()
    .optional()
    .meta({ description: 'The version of the result, from 1; present when applied.' }),
  held_id: z.string().optional().meta({ description: 'The id of the held output; present when held.' }),
});
export type SubmittedWork = z.infer<typeof SubmittedWork>;

/** A phone number of a payer. */
export const PayerPhone = model('PayerPhone', 'A phone number of a payer.', {
  purpose: z.string().meta({ description: 'What it is for.' }),
  number: z.string().meta({ description: 'The number.' }),
});
export type PayerPhone = z.infer<typeof PayerPhone>;

/** A span of time in which a payer's phone is answered. */
export const OpenTime = model('OpenTime', "A time in which a payer's phone is answered.", {
  payer: z.string().meta({ description: 'Its name.' }),
  from: dateTime().meta({ description: 'When it opens.' }),
  until: dateTime().meta({ description: 'When it closes.' }),
});
export type OpenTime = z.infer<typeof OpenTime>;

/** When a payer's phone is answered again. */
export const opensAtField = () =>
  dateTime().nullable().meta({ description: 'When its phone is answered again; null: now.' });

/** The zone of a payer's hours. */
export const timeZoneField = () =>
  z.string().nullable().meta({ description: 'Of its hours; null: always open.' });

/** The payer as a verifier needs it: how to reach it and what to know about it. */
export function createWorkPayer<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('WorkPayer', 'How to reach the payer and what to know about it.', {
    name: payer.meta({ description: 'The payer plan.' }),
    phone_number: z.string().nullable().meta({ description: 'Where to call; null: none.' }),
    menu_path: z
      .string()
      .nullable()
      .meta({ description: 'What to press or say in its menu; null: not known.' }),
    menu_path_changed_on: date().nullable().meta({ description: 'Since when; null: not known.' }),
    phones: list(PayerPhone).meta({ description: 'Its other numbers.' }),
    opens_at: opensAtField(),
    time_zone: timeZoneField(),
    portal_url: z.string().nullable().meta({ description: 'Its portal; null: none.' }),
    notes: z.string().nullable().meta({ description: 'What to know; null: nothing.' }),
    sheet: sheetField(),
  });
}

/** Every payer, as a verifier needs it. */
export function createWorkPayerList<P extends PayerNames>(workPayer: ReturnType<typeof createWorkPayer<P>>) {
  return model('WorkPayerList', 'Every payer, as a verifier needs it.', {
    items: list(workPayer).meta({ description: 'The payers, in the order of the Payer enumeration.' }),
    open_times: list(OpenTime).meta({
      description:
        'When the phones of those with hours are answered in the next 14 days, by payer and in order.',
    }),
  });
}

/** A request that only the claimer may work on until the lease ends (`work.claim`). */
export function createWorkItem<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
  workPayer: ReturnType<typeof createWorkPayer<P>>,
) {
  return model('WorkItem', 'A request that only the claimer may work on until its lease ends.', {
    request: requestModel.meta({ description: 'The request.' }),
    service_date: serviceDateField(),
    needed_by: neededByField(),
    channel: VerificationSource.meta({
      description: 'How to ask the payer; the verification_source of every submitted entry.',
    }),
    lease_token: z
      .string()
      .meta({ description: 'Proves the lease; heartbeat, submit, fail and release take it.' }),
    lease_expires_at: dateTime().meta({ description: 'When the lease ends unless a heartbeat renews it.' }),
    attempt: wholeNumber().meta({ description: 'Which attempt this is, from 1.' }),
    history: list(VerificationAttempt).meta({
      description: 'The earlier attempts, first to last.',
    }),
    payer: workPayer.meta({ description: 'The payer.' }),
  });
}

/** The requests leased by a claim, in working order. Empty when there is nothing to do. */
export function createWorkItemList<P extends PayerNames>(workItem: ReturnType<typeof createWorkItem<P>>) {
  return model('WorkItemList', 'What a claim leased.', {
    items: list(workItem).meta({ description: 'The leased requests, in the order to work in.' }),
  });
}

import * as z from 'zod';
import { accountModeField } from '../access/account.ts';
import { CoverageBenefits } from '../benefits/request-benefits.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { nextCursorField } from '../page.ts';
import type { PayerNames } from '../payers.ts';
import type { createResponseModel } from './response-model.ts';

/**
 * Why an output was held rather than applied: the sender is not trusted, no request has its id, it concerns another
 * patient, an agent found it where its payer's route has a person look first, or the request already has a different
 * result.
 */
export const HeldReason = enumeration('HeldReason', 'Why an output was held and not applied.', [
  'untrusted',
  'unmatched',
  'input_mismatch',
  'superseding',
  'agent_result',
]);
export type HeldReason = z.infer<typeof HeldReason>;

/** Whether a held output is still waiting, or what an operator did with it. */
export const HeldStatus = enumeration(
  'HeldStatus',
  'Whether a held output still waits, or what was done with it.',
  ['held', 'applied', 'dismissed'],
);
export type HeldStatus = z.infer<typeof HeldStatus>;

/**
 * A member of a request's input that an output repeats or answers: those of `patient_info` by their own name, the others
 * with the member that they are in.
 */
export const AskedMember = enumeration(
  'AskedMember',
  'A member of what was asked: those of `patient_info` by their own name but for `patient_name`, the others with the member that they are in.',
  [
    'subscriber_id',
    'dob',
    'patient_name',
    'address',
    'payer_info.name',
    'payer_info.phone_number',
    'provider_info.npi',
    'provider_info.name',
    'provider_info.tin',
    'provider_info.organization_name',
    'cpt_code_coverage',
    'callback_url',
  ],
);
export type AskedMember = z.infer<typeof AskedMember>;

/**
 * A member of a result that a correction may change: its own, and those of a coverage by their names, where `plan_info`
 * and `patient_info` are left out of the path.
 */
export const ResultMember = enumeration(
  'ResultMember',
  'A member of a result: its own, and those of a coverage by their names.',
  [
    'state',
    'error_reason',
    'subscriber_id',
    'dob',
    'patient_name',
    'address',
    'payer_name',
    'eligibility_status',
    'plan_name',
    'start_date',
    'end_date',
    'cpt_code_coverage',
    'notes',
    'verification_source',
    'request_id',
    'person_uuid',
  ],
);
export type ResultMember = z.infer<typeof ResultMember>;

const heldOutputShape = {
  held_id: z.string().meta({ description: 'The id of the held output.' }),
  reason: HeldReason.meta({ description: 'Why it was held.' }),
  received_at: dateTime().meta({ description: 'When it was first received.' }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: 'The request of ours that it names; null when it names none we know.' }),
};

/** An output awaiting an operator (`heldOutputs.list`). No text in it is the sender's. */
export const HeldOutput = model('HeldOutput', 'An output that waits for an operator.', {
  ...heldOutputShape,
  account_name: z.string().nullable().meta({
    description: 'The name of the account of that request; null without one.',
  }),
  account_mode: accountModeField().nullable().meta({
    description: 'Whether that account is a live one or a test one; null without one.',
  }),
  payer: z.string().nullable().meta({
    description: "The payer's name, from that request and not from the output; null without one.",
  }),
  patient_initials: z.string().nullable().meta({
    description:
      "The initials of the patient's name, as that request has it; null where `differs` has nothing to compare, and where the name has no letters.",
  }),
  offered_by: z.string().nullable().meta({
    description:
      'The name of the key or person that sent it; null for a stranger, and for a key without a name.',
  }),
  differs: list(AskedMember).meta({
    description:
      'The values in which the output differs from that request, by the rules of heldOutputs.compare, without the values, as it was when the output was held; what is only written otherwise is left out. Empty where nothing differs, and where there is nothing to compare: no request, one that was erased, or a text that does not open.',
  }),
  changes: list(ResultMember).meta({
    description:
      'The values in which the output differs from the result that the request had when it was held, as `differs` has it; empty without such a result. Each result has its own `uuid` and `verification_time`: they are never in it.',
  }),
});
export type HeldOutput = z.infer<typeof HeldOutput>;

/** One page of held outputs, newest first. */
export const HeldOutputList = model('HeldOutputList', 'One page of held outputs.', {
  items: list(HeldOutput).meta({ description: 'The held outputs, newest first.' }),
  next_cursor: nextCursorField(),
});
export type HeldOutputList = z.infer<typeof HeldOutputList>;

const { request_id: _requestId, ...summaryShape } = heldOutputShape;

/** A held output of a request, without its content (`requests.view`). */
export const HeldOutputSummary = model(
  'HeldOutputSummary',
  'A held output of a request, waiting or settled, without its contents.',
  {
    ...summaryShape,
    received_by: z.string().nullable().meta({
      description: 'Who submitted it, for operators; null for a stranger, and for other callers.',
    }),
    status: HeldStatus.meta({ description: 'Whether it still waits, or how it ended.' }),
    version: wholeNumber().nullable().meta({
      description: 'The version of the result that it became; null when of none, or of another request.',
    }),
    settled_at: dateTime()
      .nullable()
      .meta({ description: 'When it was applied or dismissed; null while it waits.' }),
    settled_by: z.string().nullable().meta({
      description: 'Who applied or dismissed it, for operators; null while it waits, and for other callers.',
    }),
    noted: z.boolean().meta({
      description: 'Whether its dismissal has a note, which heldOutputs.get returns.',
    }),
  },
);
export type HeldOutputSummary = z.infer<typeof HeldOutputSummary>;

/** A verifier's correction of their own result that waits for an operator. */
export const HeldCorrection = model('HeldCorrection', "A verifier's correction of their own result.", {
  by: z.string().nullable().meta({
    description: 'The name of the key or person; null for a key without a name.',
  }),
  reason: z.string().meta({ description: 'Why, in the words of the verifier.' }),
});
export type HeldCorrection = z.infer<typeof HeldCorrection>;

/** One held output with its body (`heldOutputs.get`). */
export function createHeldOutputDetail<P extends PayerNames>(
  responseModel: ReturnType<typeof createResponseModel<P>>,
) {
  return model('HeldOutputDetail', 'One held output with its body.', {
    ...heldOutputShape,
    status: HeldStatus.meta({ description: 'Whether it still waits.' }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'What the operator noted when dismissing it; null when nothing.' }),
    correction: HeldCorrection.optional().meta({
      description: 'Present if a verifier corrects their own result with it (`work.correct`).',
    }),
    output: responseModel.meta({ description: 'The output as it was received, known fields only.' }),
    benefits: list<z.ZodType<CoverageBenefits>>(CoverageBenefits).optional().meta({
      description:
        'What an agent submitted with it, one for each entry of insurance_data, as `requests.benefits` will have it; absent when it came without, and once it is dismissed.',
    }),
  });
}

import {
  type FailureReason,
  type InsurancePlanData,
  SANDBOX_MEMBER_IDS,
} from '@insurance-verification/schema';
import type { ClaimedWork, FoundBenefits } from '@insurance-verification/store';
import { type Finding, readSample } from '@insurance-verification/x12';

/** What to do with a sandbox request now. */
export type SandboxStep =
  | {
      readonly kind: 'submit';
      readonly insuranceData: InsurancePlanData[];
      readonly benefits?: FoundBenefits;
      /** What the payer says a moment later: a correction. */
      readonly corrected?: InsurancePlanData[];
    }
  | { readonly kind: 'fail'; readonly errorReason: FailureReason }
  /** Look again after this many seconds; null: never. */
  | { readonly kind: 'wait'; readonly seconds: number | null }
  /** Leave it to the verifiers of test accounts. */
  | { readonly kind: 'leave' };

/** Seconds from the request's arrival to the slow outcome. */
const SLOW_SECONDS = 30;

/** The step for a member id. `SANDBOX_MEMBER_IDS` lists the reserved ids, in any case; verifiers work on all others. */
export function stepOf(
  { request, channel, serviceDate }: Pick<ClaimedWork, 'request' | 'channel' | 'serviceDate'>,
  now: Date,
): SandboxStep {
  const { input, received_timestamp: receivedAt } = request;
  const id = input.patient_info.subscriber_id.toUpperCase();
  const outcome = Object.hasOwn(SANDBOX_MEMBER_IDS, id) ? SANDBOX_MEMBER_IDS[id] : undefined;
  const entry = (status: 'Active' | 'Inactive', plan = 'Sandbox Plan'): InsurancePlanData => ({
    person_uuid: 'sandbox-person',
    verification_time: now.toISOString(),
    verification_source: channel,
    notes: 'Made by the sandbox: no payer was asked.',
    patient_info: input.patient_info,
    plan_info: {
      payer_name: input.payer_info.name,
      plan_name: plan,
      eligibility_status: status,
      start_date: `${now.getUTCFullYear()}-01-01`,
      end_date: status === 'Active' ? null : `${now.getUTCFullYear()}-01-31`,
      cpt_code_coverage: status === 'Active' ? (input.cpt_code_coverage ?? null) : null,
    },
  });
  switch (outcome?.kind) {
    case 'active':
      return { kind: 'submit', insuranceData: [entry('Active')] };
    case 'inactive':
      return { kind: 'submit', insuranceData: [entry('Inactive')] };
    case 'corrected':
      return { kind: 'submit', insuranceData: [entry('Active')], corrected: [entry('Inactive')] };
    case 'member_id_changed':
      return { kind: 'submit', insuranceData: [withOtherId(entry('Active'))] };
    case 'benefits':
      return withBenefits(
        readSample(outcome.sample, serviceDate ?? now.toISOString().slice(0, 10)),
        entry('Active'),
      );
    case 'several':
      return {
        kind: 'submit',
        insuranceData: [entry('Active'), entry('Inactive', 'Sandbox Plan of last year')],
      };
    case 'failed':
      return { kind: 'fail', errorReason: outcome.errorReason };
    case 'slow': {
      const left = SLOW_SECONDS - (now.getTime() - Date.parse(receivedAt)) / 1_000;
      return left > 0
        ? { kind: 'wait', seconds: left }
        : { kind: 'submit', insuranceData: [entry('Active')] };
    }
    case 'never':
      return { kind: 'wait', seconds: null };
    case undefined:
      return { kind: 'leave' };
  }
}

/** The payer holds the patient under another member id. It knows them by name and birth date. */
function withOtherId(entry: InsurancePlanData): InsurancePlanData {
  const { subscriber_id: asked } = entry.patient_info;
  return {
    ...entry,
    notes: `${entry.notes}\nThe payer holds the patient under another member id.`,
    patient_info: { ...entry.patient_info, subscriber_id: `${asked}-2` },
  };
}

/** A sample's plans and rows, with the patient, the payer and the channel of the request. */
function withBenefits(
  { insuranceData, benefits, serviceDate, leftOut }: Extract<Finding, { kind: 'result' }>,
  like: InsurancePlanData,
): SandboxStep {
  return {
    kind: 'submit',
    insuranceData: insuranceData.map(({ plan_info: plan, notes }) => ({
      ...like,
      notes: [like.notes, notes].filter(Boolean).join('\n'),
      plan_info: { ...plan, payer_name: like.plan_info.payer_name },
    })),
    benefits: { serviceDate, leftOut, coverages: benefits },
  };
}

import {
  type FailureReason,
  type InsurancePlanData,
  type RequestModel,
  SANDBOX_MEMBER_IDS,
  type VerificationSource,
} from '@insurance-verification/schema';

/** What to do with a sandbox request now. */
export type SandboxStep =
  | { readonly kind: 'submit'; readonly insuranceData: InsurancePlanData[] }
  | { readonly kind: 'fail'; readonly errorReason: FailureReason }
  /** Look again after this many seconds; null: never. */
  | { readonly kind: 'wait'; readonly seconds: number | null }
  /** Leave it to the verifiers of test accounts. */
  | { readonly kind: 'leave' };

/** Seconds from the request's arrival to the slow outcome. */
const SLOW_SECONDS = 30;

/** The step for a member id. `SANDBOX_MEMBER_IDS` lists the reserved ids, in any case; verifiers work on all others. */
export function stepOf(
  { input, received_timestamp: receivedAt }: RequestModel,
  channel: VerificationSource,
  now: Date,
): SandboxStep {
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

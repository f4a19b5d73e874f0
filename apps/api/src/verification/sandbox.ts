import {
  type FailureReason,
  type InsurancePlanData,
  SANDBOX_MEMBER_IDS,
} from '@insurance-verification/schema';
import {
  acceptOutput,
  applyHeldOutput,
  type Caller,
  type ClaimedWork,
  claimWork,
  failWork,
  type FoundBenefits,
  heldBy,
  postponeSandbox,
  type Route,
  type Store,
  submitWork,
} from '@insurance-verification/store';
import { type Finding, readSample } from '@insurance-verification/x12';
import { traceResult } from '../output/trace-result.ts';
import type { BatchPace } from '../queue/batch-pace.ts';
import { beginSpan, type Tracing } from '../telemetry/tracing.ts';

interface Sandbox {
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly batchPace: BatchPace;
  /** How the access log and the evidence name the sandbox. */
  readonly caller: Caller;
  readonly tracing: Tracing | undefined;
}

/** Requests answered in one batch. */
const LIMIT = 20;

const LEASE_SECONDS = 30;

/** How many requests got their outcome, and how many of those results have a correction that waits. */
interface AnsweredSandbox {
  readonly answeredCount: number;
  readonly correctedCount: number;
}

/** Gives due sandbox requests the outcome of their member id, through the same operations as a verifier. */
export async function answerSandbox(sandbox: Sandbox): Promise<AnsweredSandbox> {
  const { store, routes, caller, batchPace } = sandbox;
  const { works } = await claimWork(store, {
    caller,
    routes,
    channels: ['api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call'],
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    batchLimit: batchPace.now.claimCount,
    asSandbox: true,
  });
  let answeredCount = 0;
  let correctedCount = 0;
  for (const work of works) {
    const answered = await answer(sandbox, work);
    if (answered !== 'not_yet') answeredCount += 1;
    if (answered === 'with_correction') correctedCount += 1;
  }
  return { answeredCount, correctedCount };
}

type Answered = 'answered' | 'with_correction' | 'not_yet';

async function answer({ store, routes, caller, tracing }: Sandbox, work: ClaimedWork): Promise<Answered> {
  const span = beginSpan();
  const step = stepOf(work, new Date());
  const { requestId, leaseToken } = work;
  const fail = async (errorReason: FailureReason): Promise<Answered> => {
    const failure = { caller, routes, requestId, leaseToken, errorReason, evidence: {}, final: true };
    if ((await failWork(store, failure)).kind !== 'error_verifying') return 'not_yet';
    traceAnswer(tracing, work, errorReason);
    return 'answered';
  };
  switch (step.kind) {
    case 'submit': {
      const { insuranceData, benefits, corrected } = step;
      const submission = {
        caller,
        requestId,
        leaseToken,
        insuranceData,
        benefits,
        // It is the request's own, also where its data identifies no person: a newborn without a birth date.
        isPatientConfirmed: true,
        evidence: {},
        routes: [], // no agent found it, whatever the channel: nothing is held
      };
      const submitted = await submitWork(store, submission);
      // What is said of somebody else without a birth date and a name is no answer, in the sandbox as for a payer.
      if (submitted.kind === 'mismatch') return fail('member_id_invalid');
      if (submitted.kind !== 'applied') return 'not_yet';
      if (corrected) await holdCorrection(store, caller, work, corrected);
      traceAnswer(tracing, work, 'result');
      traceResult(tracing, { requestId, version: submitted.version, ...span() });
      return corrected ? 'with_correction' : 'answered';
    }
    case 'fail':
      return fail(step.errorReason);
    case 'wait':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: step.seconds ?? 'never' });
      return 'not_yet';
    case 'leave':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: 'test_verifiers' });
      return 'not_yet';
  }
}

/** Submits another output for a finished request: it is held, as every such output is. */
async function holdCorrection(
  store: Store,
  caller: Caller,
  { request, payerId }: ClaimedWork,
  insuranceData: InsurancePlanData[],
): Promise<void> {
  const output = { request: { ...request, state: 'complete' as const }, insurance_data: insuranceData };
  await acceptOutput(store, {
    output,
    payerId,
    caller,
    client: null,
    trusted: true,
    holdsAgentResults: false,
  });
}

/** Seconds from a result to its correction: by then the first one has been delivered. */
export const CORRECTED_SECONDS = 5;

/** Applies the corrections that are due, as an operator would. @returns how many. */
export async function correctSandbox({ store, caller }: Pick<Sandbox, 'store' | 'caller'>): Promise<number> {
  const held = await heldBy(store, { caller, seconds: CORRECTED_SECONDS });
  for (const heldId of held) await applyHeldOutput(store, { caller, heldId });
  return held.length;
}

function traceAnswer(tracing: Tracing | undefined, work: ClaimedWork, outcome: string): void {
  tracing?.step({
    requestId: work.requestId,
    name: 'verification sandbox',
    kind: 'internal',
    startedAt: Date.now(),
    durationMs: 0,
    attributes: { 'ivs.channel': work.channel, 'ivs.attempt': work.attemptNumber, 'ivs.outcome': outcome },
    failed: false,
  });
}

/** What to do with a sandbox request now. */
type SandboxStep =
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
function stepOf(
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

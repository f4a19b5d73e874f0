import type { FailureReason, InsurancePlanData } from '@insurance-verification/schema';
import {
  acceptOutputs,
  applyHeldOutput,
  type Caller,
  type ClaimedWork,
  claimWork,
  failWork,
  heldBy,
  postponeSandbox,
  type Route,
  type Store,
  submitWorks,
} from '@insurance-verification/store';
import { traceResult } from '../../output/trace-result.ts';
import { beginSpan } from '../../telemetry/begin-span.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { stepOf } from './sandbox-step.ts';

export interface Sandbox {
  readonly store: Store;
  readonly routes: readonly Route[];
  /** How the access log and the evidence name the sandbox. */
  readonly caller: Caller;
  readonly tracing: Tracing | undefined;
}

/** Requests answered in one batch. */
const LIMIT = 20;

const LEASE_SECONDS = 30;

/**
 * Gives due sandbox requests the outcome of their member id, through the same operations as a verifier.
 * @returns how many got one.
 */
export async function answerSandbox(sandbox: Sandbox): Promise<number> {
  const { store, routes, caller } = sandbox;
  const { works } = await claimWork(store, {
    caller,
    routes,
    channels: ['api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call'],
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    asSandbox: true,
  });
  let answeredCount = 0;
  for (const work of works) if (await answer(sandbox, work)) answeredCount += 1;
  return answeredCount;
}

async function answer({ store, routes, caller, tracing }: Sandbox, work: ClaimedWork): Promise<boolean> {
  const span = beginSpan();
  const step = stepOf(work, new Date());
  const { requestId, leaseToken } = work;
  const fail = async (errorReason: FailureReason) => {
    const failure = { caller, routes, requestId, leaseToken, errorReason, evidence: {}, final: true };
    if ((await failWork(store, failure)).kind !== 'error_verifying') return false;
    traceAnswer(tracing, work, errorReason);
    return true;
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
        // It is the request's own, also where its data proves nobody: a newborn without a birth date.
        isPatientConfirmed: true,
        evidence: {},
        routes: [], // no agent found it, whatever the channel: nothing is held
      };
      const [answering] = await submitWorks(store, [submission]);
      const submitted = await answering;
      // What is said of somebody else without a birth date and a name is no answer, in the sandbox as for a payer.
      if (submitted?.kind === 'misfit') return fail('member_id_invalid');
      if (submitted?.kind !== 'applied') return false;
      if (corrected) await holdCorrection(store, caller, work, corrected);
      traceAnswer(tracing, work, 'result');
      traceResult(tracing, { requestId, version: submitted.version, ...span() });
      return true;
    }
    case 'fail':
      return fail(step.errorReason);
    case 'wait':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: step.seconds ?? 'never' });
      return false;
    case 'leave':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: 'test_verifiers' });
      return false;
  }
}

/** Hands in another finding about a request that has one: it is held, as every such output is. */
async function holdCorrection(
  store: Store,
  caller: Caller,
  { request, payerId }: ClaimedWork,
  insuranceData: InsurancePlanData[],
): Promise<void> {
  const output = { request: { ...request, state: 'complete' as const }, insurance_data: insuranceData };
  const [accepted] = await acceptOutputs(store, [
    { output, payerId, caller, client: null, trusted: true, holdsAgentResults: false },
  ]);
  await accepted;
}

/** Seconds from a result to its correction: by then the first one has been delivered. */
const CORRECTED_SECONDS = 5;

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

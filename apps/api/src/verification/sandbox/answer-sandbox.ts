import {
  type Caller,
  type ClaimedWork,
  claimWork,
  failWork,
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
  const step = stepOf(work.request, work.channel, new Date());
  const { requestId, leaseToken } = work;
  switch (step.kind) {
    case 'submit': {
      const submission = {
        caller,
        requestId,
        leaseToken,
        insuranceData: step.insuranceData,
        // It is the request's own, also where its data proves nobody: a newborn without a birth date.
        isPatientConfirmed: true,
        evidence: {},
        routes: [], // no agent found it, whatever the channel: nothing is held
      };
      const [answering] = await submitWorks(store, [submission]);
      const submitted = await answering;
      if (submitted?.kind !== 'applied') return false;
      traceAnswer(tracing, work, 'result');
      traceResult(tracing, { requestId, version: submitted.version, ...span() });
      return true;
    }
    case 'fail': {
      const { errorReason } = step;
      const failure = { caller, routes, requestId, leaseToken, errorReason, evidence: {}, final: true };
      if ((await failWork(store, failure)).kind !== 'error_verifying') return false;
      traceAnswer(tracing, work, errorReason);
      return true;
    }
    case 'wait':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: step.seconds ?? 'never' });
      return false;
    case 'leave':
      await postponeSandbox(store, { caller, requestId, leaseToken, until: 'test_verifiers' });
      return false;
  }
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

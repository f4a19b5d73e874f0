import {
  type Caller,
  type ClaimedWork,
  claimWork,
  failWork,
  postponeSandbox,
  type Route,
  type Store,
  submitWork,
} from '@insurance-verification/store';
import { stepOf } from './sandbox-step.ts';

/** Requests answered in one go. */
const LIMIT = 20;

const LEASE_SECONDS = 30;

/**
 * Gives sandbox requests that are due the outcome of their member id, through the same operations as a verifier.
 * @returns how many got one.
 */
export async function answerSandbox(store: Store, routes: readonly Route[], caller: Caller): Promise<number> {
  const works = await claimWork(store, {
    caller,
    routes,
    channels: ['api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call'],
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    asSandbox: true,
  });
  let answeredCount = 0;
  for (const work of works) if (await answer(store, routes, caller, work)) answeredCount += 1;
  return answeredCount;
}

async function answer(
  store: Store,
  routes: readonly Route[],
  caller: Caller,
  work: ClaimedWork,
): Promise<boolean> {
  const step = stepOf(work.request, work.channel, new Date());
  const { requestId, leaseToken } = work;
  switch (step.kind) {
    case 'submit': {
      const submission = { caller, requestId, leaseToken, insuranceData: step.insuranceData, evidence: {} };
      return (await submitWork(store, submission)).kind === 'applied';
    }
    case 'fail': {
      const { errorReason } = step;
      const failure = { caller, routes, requestId, leaseToken, errorReason, evidence: {}, final: true };
      return (await failWork(store, failure)).kind === 'error_verifying';
    }
    case 'wait':
      await postponeSandbox(store, { caller, requestId, leaseToken }, step.seconds ?? 'never');
      return false;
    case 'leave':
      await postponeSandbox(store, { caller, requestId, leaseToken }, 'test_verifiers');
      return false;
  }
}

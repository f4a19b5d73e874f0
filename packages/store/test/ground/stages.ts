import { randomBytes } from 'node:crypto';
import type { RequestInfo, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import type { FinishedAttempt } from '../../src/delivery/finish-attempts.ts';
import {
  type AcceptedOutput,
  acceptOutput,
  type Caller,
  type ClaimPage,
  type Lane,
  claimDueDeliveries,
  type ClaimedDelivery,
  createAccount,
  finishAttempts,
  insertRequests,
  type NewRequest,
  type FreeSlots,
  type Store,
  type SubmittedOutput,
} from '../../src/index.ts';
import { issueId } from '../../src/issued-id.ts';

/** The default payer id of the requests made here. */
export const PAYER_ID = 'plan-1';

export type StoredRequest = RequestModel & { readonly request_id: string };

export function aWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A caller across accounts: everyone's, or those of test accounts. */
export function aPlatformCaller(mode: Caller['mode'] = 'live'): Caller {
  return { keyId: issueId('key'), accountId: issueId('acct'), mode, acrossAccounts: true };
}

/** A new account and a key id that acts for it; for a platform account across accounts. */
export async function anAccount(
  store: Store,
  account: {
    readonly kind?: 'provider' | 'platform';
    readonly mode?: 'live' | 'test';
    readonly webhookSecret?: string;
  } = {},
): Promise<Caller> {
  const made = await createAccount(store, {
    caller: aPlatformCaller(),
    name: 'Clinic',
    kind: account.kind ?? 'provider',
    mode: account.mode ?? 'live',
    webhookSecret: account.webhookSecret ?? aWebhookSecret(),
  });
  if (made.kind !== 'created') throw new Error('A live caller reaches every account.');
  const { account_id: accountId } = made.account;
  const acrossAccounts = account.kind === 'platform';
  return { keyId: issueId('key'), accountId, mode: account.mode ?? 'live', acrossAccounts };
}

/** One stored request. */
export async function intake(
  store: Store,
  caller: Caller,
  input: RequestInfo = aRequest(),
  said: Pick<NewRequest, 'serviceDate' | 'neededBy'> = {},
): Promise<StoredRequest> {
  const [inserted] = await insertRequests(store, [
    { caller, payerId: PAYER_ID, input, idempotencyKey: null, ...said },
  ]);
  if (inserted?.kind !== 'created' || inserted.request.request_id === null)
    throw new Error('It was not stored.');
  return { ...inserted.request, request_id: inserted.request.request_id };
}

/** Submits an output, by default as a trusted verifier. */
export function submit(
  store: Store,
  output: ResponseModel,
  submitted: Partial<Omit<SubmittedOutput, 'output'>> = {},
): Promise<AcceptedOutput> {
  const caller = aPlatformCaller();
  return acceptOutput(store, {
    output,
    payerId: PAYER_ID,
    caller,
    client: null,
    trusted: true,
    holdsAgentResults: false,
    ...submitted,
  });
}

/** A request with a result, whose delivery is due. */
export async function aFinishedRequest(
  store: Store,
  caller: Caller,
  input?: RequestInfo,
): Promise<StoredRequest> {
  const request = await intake(store, caller, input);
  const accepted = await submit(store, anOutput(request));
  if (accepted.kind !== 'applied') throw new Error(`The output was not applied: ${accepted.kind}.`);
  return request;
}

const ALL_FREE: FreeSlots = {
  perHost: 1_000_000,
  perAccount: 1_000_000,
  hosts: new Map(),
  lanes: new Map(),
};

/** A claimed delivery of a result. */
export type ClaimedResult = ClaimedDelivery & { readonly requestId: string; readonly version: number };

/** Claims results from every page of lanes, by default as a worker with room for everything. */
export async function claimDue(
  store: Store,
  limit = 100,
  freeSlots: Partial<FreeSlots> = {},
): Promise<readonly ClaimedResult[]> {
  const claimed: ClaimedDelivery[] = [];
  let after: Lane | null = null;
  do {
    const page: ClaimPage = await claimDueDeliveries(store, {
      limit: limit - claimed.length,
      freeSlots: { ...ALL_FREE, ...freeSlots },
      after,
    });
    claimed.push(...page.claimed);
    after = page.end;
  } while (after && claimed.length < limit);
  return claimed.filter((one): one is ClaimedResult => one.requestId !== null);
}

/** Claims until the request's delivery comes; others claimed with it stay leased. */
export async function claimFor(store: Store, requestId: string): Promise<ClaimedResult> {
  for (;;) {
    const claimed = await claimDue(store);
    const found = claimed.find((delivery) => delivery.requestId === requestId);
    if (found) return found;
    if (claimed.length === 0) throw new Error('Its delivery is not due.');
  }
}

/** A claimed attempt's outcome, by default delivered. */
export function aFinishedAttempt(
  lease: FinishedAttempt['lease'],
  attempt: Partial<Omit<FinishedAttempt, 'lease'>> = {},
): FinishedAttempt {
  return {
    lease,
    startedAt: new Date(),
    outcome: 'succeeded',
    statusCode: 200,
    durationMs: 12,
    responseSnippet: null,
    next: { kind: 'delivered' },
    ...attempt,
  };
}

/** Finishes a claimed attempt, by default as delivered. */
export async function finish(
  store: Store,
  lease: FinishedAttempt['lease'],
  attempt: Partial<Omit<FinishedAttempt, 'lease'>> = {},
): Promise<boolean> {
  const written = await finishAttempts(store, [aFinishedAttempt(lease, attempt)]);
  return written.has(lease.deliveryId);
}

/** Submits an output that is held; returns its id. */
export async function hold(...submitted: Parameters<typeof submit>): Promise<string> {
  const accepted = await submit(...submitted);
  if (accepted.kind !== 'held') throw new Error(`The output was not held: ${accepted.kind}.`);
  return accepted.heldId;
}

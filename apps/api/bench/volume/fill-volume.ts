import type { RequestModel } from '@insurance-verification/schema';
import {
  acceptOutputs,
  type Caller,
  type ClaimedDelivery,
  countFacts,
  type Courier,
  createAccount,
  finishAttempts,
  insertRequests,
  type Store,
} from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';

/** The payers of the filled requests. */
export const PAYER_IDS = ['plan-1', 'plan-2', 'plan-3', 'plan-4'] as const;

const ACCOUNT_COUNT = 1_000;
const SMALL_ACCOUNT_ROWS = 10;
const HOST_COUNT = 200;

/** Requests of one call of intake, and results of one call of output: as many as the service writes together at most. */
const BATCH_COUNT = 1_000;
const TOGETHER_COUNT = 100;

/** A platform key's caller. */
export const PLATFORM: Caller = {
  keyId: 'key_00000000000000000000000001',
  accountId: 'acct_bench',
  mode: 'live',
  acrossAccounts: true,
};

/** What has become of a request. */
type Fate = 'waiting' | 'exhausted' | 'error_verifying' | 'undelivered' | 'delivered';

/** A thousand accounts: the first has 30 % of all requests, the second ten, the others equal shares. */
export interface Volume {
  readonly large: Caller;
  readonly small: Caller;
  /** The first request made. */
  readonly oldestId: string;
  /** Adds requests until there are this many. Each lives by the store's own operations, as the service calls them. */
  readonly fillTo: (count: number) => Promise<void>;
}

export async function createVolume(store: Store): Promise<Volume> {
  const accounts: Caller[] = [];
  for (let index = 0; index < ACCOUNT_COUNT; index += 1) accounts.push(await anAccount(store));
  const [large, small] = accounts;
  if (!large || !small) throw new Error('There are at least two accounts.');
  const [first] = await insert(store, [0], () => large);
  let filled = 1;
  const ownerOf = (index: number): Caller => {
    if (index < SMALL_ACCOUNT_ROWS) return small;
    return index % 10 < 3 ? large : (accounts[2 + (index % (ACCOUNT_COUNT - 2))] ?? large);
  };
  return {
    large,
    small,
    oldestId: first?.request_id ?? '',
    fillTo: async (count) => {
      while (filled < count) {
        const indexes = Array.from({ length: Math.min(BATCH_COUNT, count - filled) }, (_, at) => filled + at);
        await liveTogether(store, indexes, ownerOf);
        filled += indexes.length;
      }
      await countAll(store);
    },
  };
}

/** As housekeeping does: the figures of the last day come from the facts. */
async function countAll(store: Store): Promise<void> {
  for (;;) {
    const counted = await countFacts(store, { spanSeconds: 60, settledSeconds: 0 });
    if (counted.kind === 'counted' && counted.caughtUp) return;
  }
}

async function anAccount(store: Store): Promise<Caller> {
  const made = await createAccount(store, {
    caller: PLATFORM,
    name: 'Clinic',
    kind: 'provider',
    mode: 'live',
    webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  });
  if (made.kind !== 'created') throw new Error('A live caller reaches every account.');
  const { account_id: accountId } = made.account;
  return { keyId: `key_${accountId.slice(5)}`, accountId, mode: 'live', acrossAccounts: false };
}

/** 11 of 100 wait, 2 are exhausted, 5 could not be verified, 1 is still to be delivered, and 81 are complete. */
function fateOf(index: number): Fate {
  const place = (index * 37 + Math.floor(index / 100) * 13) % 100; // apart from the account's share
  if (place < 11) return 'waiting';
  if (place < 13) return 'exhausted';
  if (place < 18) return 'error_verifying';
  return place < 19 ? 'undelivered' : 'delivered';
}

const payerOf = (index: number) => PAYER_IDS[Math.floor(index / 7) % PAYER_IDS.length] ?? PAYER_IDS[0];

async function liveTogether(store: Store, indexes: readonly number[], ownerOf: (index: number) => Caller) {
  const requests = await insert(store, indexes, ownerOf);
  const fates = new Map(requests.map(({ request_id: id }, at) => [id, fateOf(indexes[at] ?? 0)]));
  const payerIds = new Map(requests.map(({ request_id: id }, at) => [id, payerOf(indexes[at] ?? 0)]));
  const finished = requests.filter(({ request_id: id }) => fates.get(id) !== 'waiting');
  for (let from = 0; from < finished.length; from += TOGETHER_COUNT)
    await finishTogether(store, finished.slice(from, from + TOGETHER_COUNT), { fates, payerIds });
}

async function insert(store: Store, indexes: readonly number[], ownerOf: (index: number) => Caller) {
  const inserted = await insertRequests(
    store,
    indexes.map((index) => ({
      caller: ownerOf(index),
      payerId: payerOf(index),
      input: aRequest({ callback_url: `https://host-${index % HOST_COUNT}.example/verified` }),
      idempotencyKey: null,
    })),
  );
  return inserted.flatMap((one) => (one.kind === 'created' ? [one.request] : []));
}

interface Plan {
  readonly fates: ReadonlyMap<string | null, Fate>;
  readonly payerIds: ReadonlyMap<string | null, string>;
}

async function finishTogether(store: Store, requests: readonly RequestModel[], { fates, payerIds }: Plan) {
  const begun: ClaimedDelivery[] = [];
  const isUndelivered = new Set(
    requests.flatMap(({ request_id: id }) => (fates.get(id) === 'undelivered' ? [id] : [])),
  );
  // Every delivery is handed over, as in a process with the role `delivery`, and those that stay are given back.
  const courier: Courier = {
    reserve: () => ({ begin: (claimed) => void begun.push(claimed), free: () => undefined }),
    wake: () => undefined,
  };
  const outputs = requests.map((request) => ({
    output:
      fates.get(request.request_id) === 'error_verifying'
        ? anOutput(request, {
            state: 'error_verifying',
            error_reason: 'member_not_found',
            insurance_data: [],
          })
        : anOutput(request),
    payerId: payerIds.get(request.request_id) ?? PAYER_IDS[0],
    caller: PLATFORM,
    client: null,
    trusted: true,
  }));
  await acceptOutputs(store, outputs, courier);
  await finishAttempts(
    store,
    begun
      .filter(({ requestId }) => !isUndelivered.has(requestId))
      .map((lease) => ({
        lease,
        startedAt: new Date(),
        durationMs: 12,
        responseSnippet: null,
        ...(fates.get(lease.requestId) === 'exhausted'
          ? { outcome: 'gone', statusCode: 410, next: { kind: 'exhausted', reason: 'webhook_gone' } as const }
          : { outcome: 'succeeded', statusCode: 204, next: { kind: 'delivered' } as const }),
      })),
  );
}

import type { RequestModel } from '@insurance-verification/schema';
import {
  acceptOutput,
  type Caller,
  type ClaimedDelivery,
  type LocalWorker,
  finishAttempts,
  insertRequests,
  type Store,
} from '@insurance-verification/store';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { PLATFORM } from './accounts.ts';

/** The payers of the requests. */
export const PAYER_IDS = ['plan-1', 'plan-2', 'plan-3', 'plan-4'] as const;

const HOST_COUNT = 200;

/** Requests of one call of intake. */
const BATCH_COUNT = 1_000;

/** Results at a time, as many as the store has connections for, and attempts of one call. */
const OUTPUT_COUNT = 10;
const ATTEMPT_COUNT = 100;

/** What becomes of a request. */
export type Fate = 'waiting' | 'exhausted' | 'error_verifying' | 'undelivered' | 'delivered';

export interface PlannedRequest {
  /** Chooses payer, host and member. */
  readonly index: number;
  readonly caller: Caller;
  readonly fate: Fate;
}

type MadeRequest = PlannedRequest & { readonly request: RequestModel };

/**
 * Makes requests that live to their fates by the store's own operations, called as the service calls them. Each step
 * takes them in another order: neighbours that change in one statement would have to leave their page.
 */
export async function makeRequests(
  store: Store,
  planned: readonly PlannedRequest[],
): Promise<RequestModel[]> {
  const made: MadeRequest[] = [];
  for (const batch of inBatches(planned, BATCH_COUNT)) made.push(...(await insert(store, batch)));
  const finished = mixed(made).filter(({ fate }) => fate !== 'waiting');
  for (const batch of inBatches(finished, BATCH_COUNT)) await finish(store, batch);
  return made.map(({ request }) => request);
}

function inBatches<Item>(items: readonly Item[], count: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / count) }, (_, at) =>
    items.slice(at * count, (at + 1) * count),
  );
}

/** Steps of so many around a list meet each of its places once, since none is as long as a multiple of it. */
const STRIDE = 7_919;

const mixed = <Item>(items: readonly Item[]): Item[] =>
  items.flatMap((item, step) => items[(step * STRIDE) % items.length] ?? item);

const payerOf = (index: number) => PAYER_IDS[Math.floor(index / 7) % PAYER_IDS.length] ?? PAYER_IDS[0];

async function insert(store: Store, planned: readonly PlannedRequest[]): Promise<MadeRequest[]> {
  const inserted = await insertRequests(
    store,
    planned.map(({ index, caller }) => ({
      caller,
      payerId: payerOf(index),
      input: aRequest({
        patient_info: aPatient({ subscriber_id: `W${100_000_000 + index}` }),
        callback_url: `https://host-${index % HOST_COUNT}.example/verified`,
      }),
      idempotencyKey: null,
    })),
  );
  return planned.flatMap((plan, at) => {
    const one = inserted[at];
    return one?.kind === 'created' ? [{ ...plan, request: one.request }] : [];
  });
}

/** Gives them results, and sends those that are to be sent: before the leases of the first lapse. */
async function finish(store: Store, made: readonly MadeRequest[]): Promise<void> {
  const leases: ClaimedDelivery[] = [];
  // Every delivery that is sent is handed over, as in a process with the role `delivery`.
  const localWorker: LocalWorker = {
    reserve: () => ({ begin: (claimed) => void leases.push(claimed), free: () => undefined }),
    wake: () => undefined,
  };
  const [stay, sent] = [true, false].map((stays) =>
    made.filter(({ fate }) => (fate === 'undelivered') === stays),
  );
  for (const batch of inBatches(stay ?? [], OUTPUT_COUNT))
    await Promise.all(batch.map((one) => acceptOutput(store, outputOf(one))));
  for (const batch of inBatches(sent ?? [], OUTPUT_COUNT))
    await Promise.all(batch.map((one) => acceptOutput(store, outputOf(one), localWorker)));
  const fates = new Map(made.map(({ request, fate }) => [request.request_id, fate]));
  for (const batch of inBatches(mixed(leases), ATTEMPT_COUNT))
    await finishAttempts(
      store,
      batch.map((lease) => ({
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

const outputOf = ({ index, fate, request }: MadeRequest) => ({
  output:
    fate === 'error_verifying'
      ? anOutput(request, { state: fate, error_reason: 'member_not_found', insurance_data: [] })
      : anOutput(request),
  payerId: payerOf(index),
  caller: PLATFORM,
  client: null,
  trusted: true,
  holdsAgentResults: false,
});

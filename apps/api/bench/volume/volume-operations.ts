import { RequestState } from '@insurance-verification/schema';
import {
  claimDueDeliveries,
  claimWork,
  getRequest,
  insertRequests,
  listRequests,
  measureDeliveryQueue,
  measureHeldOutputs,
  measureWork,
  releaseLeases,
  type Route,
  type Store,
} from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { PLATFORM } from './accounts.ts';
import { PAGE_COUNT, type Volume } from './fill-volume.ts';
import { PAYER_IDS } from './make-requests.ts';
import type { VolumeDatabase } from './volume-server.ts';

const CHANNELS = ['agent_web_portal', 'manual_phone_call'] as const;

const ROUTES: readonly Route[] = PAYER_IDS.map((payerId) => ({
  payerId,
  channels: CHANNELS.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3_600 })),
  skipsUnattended: false,
  holdsAgentResults: false,
  inFlightCountMax: null,
}));

export interface VolumeOperation {
  readonly name: string;
  readonly call: () => Promise<unknown>;
  /** Undoes the call; not measured. */
  readonly after?: (answer: unknown) => Promise<unknown>;
}

/** The operations that must cost the same at any size. */
export function volumeOperations(
  { store, client }: Pick<VolumeDatabase, 'store' | 'client'>,
  { large, small, oldestId }: Volume,
): VolumeOperation[] {
  const list = (caller: typeof large, state: RequestState | undefined) => () =>
    listRequests(store, { caller, limit: PAGE_COUNT, state });
  const lists = [undefined, ...RequestState.options].flatMap((state) => [
    { name: `list of the large account, ${state ?? 'all'}`, call: list(large, state) },
    { name: `list of the small account, ${state ?? 'all'}`, call: list(small, state) },
  ]);
  return [
    { name: 'get', call: () => getRequest(store, { caller: PLATFORM, requestId: oldestId }) },
    ...lists,
    {
      name: 'claim',
      call: () =>
        claimWork(store, {
          caller: PLATFORM,
          routes: ROUTES,
          channels: CHANNELS,
          limit: 1,
          leaseSeconds: 600,
        }),
      after: (claimed) => putBack(client, claimed as Awaited<ReturnType<typeof claimWork>>),
    },
    {
      name: 'delivery claim',
      call: () => claimDueDeliveries(store, { limit: 16, freeSlots: FREE_SLOTS, after: null }),
      after: (page) => releaseLeases(store, (page as Awaited<ReturnType<typeof claimDueDeliveries>>).claimed),
    },
    { name: 'stats', call: () => measureWork(store, { routes: ROUTES, mode: 'live' }) },
    {
      name: 'metrics',
      call: async () => {
        await measureDeliveryQueue(store);
        await measureHeldOutputs(store);
        await measureWork(store, { routes: ROUTES, mode: 'live' });
      },
    },
    // The last, since it adds to the size that the others meet.
    { name: 'create', call: () => create(store, large) },
  ];
}

const FREE_SLOTS = { perHost: 10, perAccount: 100, hosts: new Map(), accounts: new Map() };

/**
 * As if they had not been claimed: the small volume has some 1,200 that wait, and a released one would be read with its
 * attempts when it is claimed again.
 */
async function putBack(
  client: VolumeDatabase['client'],
  { works }: Awaited<ReturnType<typeof claimWork>>,
): Promise<void> {
  if (works.length === 0) throw new Error('A claim found no work.');
  await client.query(
    `with untold as (delete from verification_attempt where request_id = any($1))
     update work_queue set lease = null, leased_at = null, leased_until = null, attempt_count = 0
     where request_id = any($1)`,
    [works.map(({ requestId }) => requestId)],
  );
}

async function create(store: Store, caller: Volume['large']) {
  const input = aRequest({ callback_url: 'https://host-1.example/verified' });
  return insertRequests(store, [{ caller, payerId: PAYER_IDS[0], input, idempotencyKey: null }]);
}

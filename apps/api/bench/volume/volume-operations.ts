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

const CHANNELS = ['agent_web_portal', 'manual_phone_call'] as const;

const ROUTES: readonly Route[] = PAYER_IDS.map((payerId) => ({
  payerId,
  channels: CHANNELS.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3_600 })),
  skipsUnattended: false,
  inFlightCountMax: null,
}));

export interface VolumeOperation {
  readonly name: string;
  readonly call: () => Promise<unknown>;
  /** Undoes the call; not measured. */
  readonly after?: (answer: unknown) => Promise<unknown>;
}

/** The operations that must cost the same at any size. */
export function volumeOperations(store: Store, { large, small, oldestId }: Volume): VolumeOperation[] {
  const list = (caller: typeof large, state: RequestState | undefined) => () =>
    listRequests(store, { caller, limit: PAGE_COUNT, state });
  const lists = [undefined, ...RequestState.options].flatMap((state) => [
    { name: `list of the large account, ${state ?? 'all'}`, call: list(large, state) },
    { name: `list of the small account, ${state ?? 'all'}`, call: list(small, state) },
  ]);
  return [
    { name: 'create', call: () => create(store, large) },
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
    },
    {
      name: 'delivery claim',
      call: () => claimDueDeliveries(store, { limit: 16, rooms: ROOMS, after: null }),
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
  ];
}

const ROOMS = { perHost: 10, perAccount: 100, hosts: new Map(), accounts: new Map() };

async function create(store: Store, caller: Volume['large']) {
  const input = aRequest({ callback_url: 'https://host-1.example/verified' });
  return insertRequests(store, [{ caller, payerId: PAYER_IDS[0], input, idempotencyKey: null }]);
}

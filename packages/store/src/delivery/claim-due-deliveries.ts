import { sql } from 'kysely';
import {
  openWebhookSecrets,
  readEarlierSecrets,
  type EncryptedWebhookSecrets,
} from '../access/webhook-secrets.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import { WrongMasterKeyError } from '../encryption/master-keys.ts';
import type { Decrypter } from '../encryption/vault.ts';
import { endpointSecretPlace } from '../events/endpoints.ts';
import { type CoveredEvent, openEvent, type StoredEvent } from '../events/event-mac.ts';
import { prepared } from '../functions/prepared-call.ts';
import type { Store } from '../open-store.ts';
import { claimDeliveriesFunction } from './claim-due-deliveries.sql.ts';
import { FRUITLESS_CLAIM_COUNT_MAX, type Lease, LEASE_SECONDS } from './leases.ts';
import { destinationPlace, messageBody, occurrenceOf } from './message.ts';

/** How many more rows a worker takes. Rows above that stay in the queue, uncounted. */
export interface FreeSlots {
  /** Per host, unless `hosts` overrides it. */
  readonly perHost: number;
  /** Per account, unless `lanes` overrides it; its batches have a quarter of it. */
  readonly perAccount: number;
  /** By `ClaimedDelivery.hostKey`. */
  readonly hosts: ReadonlyMap<string, number>;
  /** By `Lane.lane`. */
  readonly lanes: ReadonlyMap<string, number>;
}

/** One account's deliveries to one host, of its batches or of all else: the unit of fairness between claims. */
export interface Lane {
  readonly hostKey: string;
  /** See {@link laneOf}. */
  readonly lane: string;
}

/** The lane of an account's deliveries, by the column `lane`: its batches have one of their own. */
export const laneOf = (accountId: string, isOfBatch: boolean): string =>
  isOfBatch ? `${accountId}${OF_BATCHES}` : accountId;

/** Whether a lane is of an account's batches, which have a quarter of its slots. */
export const isLaneOfBatches = (lane: string): boolean => lane.endsWith(OF_BATCHES);

const OF_BATCHES = '+batch';

interface Claim {
  readonly limit: number;
  readonly freeSlots: FreeSlots;
  /** The end of the last page of lanes; null starts with the first lane. */
  readonly after: Lane | null;
  /** A bit for each shard, set for those of this worker; undefined: all. */
  readonly shards?: Buffer;
}

export interface ClaimPage {
  /** Longest due first. */
  readonly claimed: readonly ClaimedDelivery[];
  /** The end of this page; null when no lane follows. */
  readonly end: Lane | null;
}

/** Lanes that one claim visits at most, due or not: each costs an index probe or two (256 of them 1.5 ms). */
export const LANE_PAGE_COUNT = 256;

const claimDeliveries = sql.raw(claimDeliveriesFunction.name);

type PageRow = { end_host: Buffer | null; end_lane: string | null } & (ClaimedRow | { id: null });

/**
 * Leases up to `limit` due deliveries of the next page of lanes: for each host and lane no more than its free
 * slots, the longest due first. Skips rows that another worker is claiming.
 *
 * It goes from lane to lane (a recursive "loose index scan"), reads only the rows it may lease in each, and ends with
 * the lane that fills it: the next claim continues after that lane. Rejected: the longest due of 256 lanes, with a
 * read of each, 1,600 to 4,900 pages a claim; the longest due of all, skipping full hosts: with 50,000 rows of one
 * dead host in front every claim read them all.
 *
 * A row whose lease lapsed lost its worker: that attempt is recorded as `worker_lost`. It does not count in the
 * round, since it may or may not have reached the receiver.
 */
export async function claimDueDeliveries(
  store: Store,
  { limit, freeSlots, after, shards }: Claim,
): Promise<ClaimPage> {
  const { rows } = await sql<PageRow>`
    select * from ${claimDeliveries}(
      after_host => ${Buffer.from(after?.hostKey ?? '', 'base64')}, after_lane => ${after?.lane ?? ''},
      lanes_max => ${LANE_PAGE_COUNT}, rows_max => ${limit}, lease_seconds => ${LEASE_SECONDS},
      slots_per_host => ${freeSlots.perHost}, slots_per_account => ${freeSlots.perAccount},
      free_by_host => ${JSON.stringify(Object.fromEntries(freeSlots.hosts))},
      free_by_lane => ${JSON.stringify(Object.fromEntries(freeSlots.lanes))}, shards => ${shards ?? null}) ${prepared}`.execute(
    store.db,
  );
  const [first] = rows;
  const end =
    first?.end_host && first.end_lane !== null
      ? { hostKey: first.end_host.toString('base64'), lane: first.end_lane }
      : null;
  const claimed = rows.filter((row) => row.id !== null);
  return { claimed: await openClaimed(store, claimed), end };
}

/** A delivery that only this worker may send until its lease ends. */
export interface ClaimedDelivery extends Lease {
  /** With the version: the result that it carries; null for an event. */
  readonly requestId: string | null;
  readonly version: number | null;
  /** The event that it carries to an endpoint; null for a result. */
  readonly eventId: string | null;
  readonly endpointId: string | null;
  /** The subscription over MCP that it is of; null for any other. */
  readonly subscription: string | null;
  /** Its endpoint ended, expired or is disabled: give it up. */
  readonly isEndpointOff: boolean;
  /** Its event is not as the service wrote it: give it up. */
  readonly isEventAltered: boolean;
  /** Whether the result came with benefits. */
  readonly hasBenefits: boolean;
  readonly accountId: string;
  /** See {@link laneOf}. */
  readonly lane: string;
  /** HMAC of the destination's host and port, base64: equal for equal hosts. */
  readonly hostKey: string;
  /** 1 for the first attempt of this round. */
  readonly roundAttemptNumber: number;
  readonly acceptedAt: Date;
  /** Claimed more than `FRUITLESS_CLAIM_COUNT_MAX` times without a finished attempt: give it up. */
  readonly claimsExhausted: boolean;
  /** Null when the row's encrypted values cannot be decrypted: set it aside. */
  readonly message: DeliveryMessage | null;
}

interface DeliveryMessage {
  readonly callbackUrl: string;
  readonly body: Buffer;
  /** The account's current secret, then its predecessors while they are valid, latest first. */
  readonly secrets: readonly string[];
}

/** A claimed delivery, as the database answers it. */
type ClaimedRow = ClaimedColumns & (CarriesResult | CarriesEvent);

interface CarriesResult {
  event_id: null;
  endpoint_id: null;
  subscription: null;
  request_id: string;
  version: number;
  /** Base64, like the finding. */
  input: string;
  received_at: Date;
  outcome: 'complete' | 'error_verifying';
  finding: string;
  has_benefits: boolean;
}

interface CarriesEvent {
  event_id: string;
  endpoint_id: string;
  /** Null where it is gone. */
  event: StoredEvent | null;
  /** Whose events the endpoint gets. */
  reach: 'own' | 'test' | 'all';
  endpoint_is_off: boolean;
  subscription: string | null;
  request_id: null;
  version: null;
}

interface ClaimedColumns extends EncryptedWebhookSecrets {
  id: string;
  account_id: string;
  lane: string;
  /** Base64, like the host. */
  destination: string;
  destination_host: string;
  lease_token: string;
  round_attempt_count: number;
  claim_count: number;
  accepted_at: Date;
}

/** Decrypts the rows that one claim leased. A row that does not open has no message, and the others continue. */
async function openClaimed(store: Store, rows: readonly ClaimedRow[]): Promise<readonly ClaimedDelivery[]> {
  const secrets = await openSecrets(store, rows);
  const encrypted = rows.map(sealedOf);
  const open = await store.vault.decrypterFor(
    encrypted.flatMap(({ destination, input, finding }) => [destination, input, finding]),
  );
  return encrypted.map((one) => {
    const { row } = one;
    const event = row.event_id === null ? null : openEvent(store.vault, row.event_id, row.event);
    const message =
      event === undefined ? null : openMessage(open, { ...one, event }, secrets.get(signerOf(row)));
    return claimedOf(row, { message, isEventAltered: event === undefined });
  });
}

function claimedOf(
  row: ClaimedRow,
  opened: Pick<ClaimedDelivery, 'message' | 'isEventAltered'>,
): ClaimedDelivery {
  return {
    deliveryId: row.id,
    leaseToken: row.lease_token,
    requestId: row.request_id,
    version: row.version,
    eventId: row.event_id,
    endpointId: row.endpoint_id,
    subscription: row.subscription,
    isEndpointOff: row.event_id !== null && row.endpoint_is_off,
    hasBenefits: row.event_id === null && row.has_benefits,
    accountId: row.account_id,
    lane: row.lane,
    hostKey: row.destination_host,
    roundAttemptNumber: row.round_attempt_count + 1,
    acceptedAt: row.accepted_at,
    claimsExhausted: row.claim_count > FRUITLESS_CLAIM_COUNT_MAX,
    ...opened,
  };
}

/** Whose secrets sign a message: those of its endpoint, or of its account. */
const signerOf = (row: ClaimedRow) => row.endpoint_id ?? row.account_id;

/** Decrypts the secrets of each signer once for all rows of a claim: most rows belong to a few accounts. */
async function openSecrets({ db, vault }: Store, rows: readonly ClaimedRow[]) {
  const rotating = new Set(
    rows
      .filter((row) => row.previous_webhook_secret_valid && row.endpoint_id === null)
      .map((row) => row.account_id),
  );
  const earlier = await readEarlierSecrets(db, rotating);
  const opened = new Map<string, readonly string[] | null>();
  for (const row of rows) {
    const { account_id: accountId, endpoint_id: endpointId } = row;
    if (opened.has(signerOf(row))) continue;
    const opening =
      endpointId === null
        ? openWebhookSecrets(vault, { accountId, row, earlier: earlier.get(accountId) })
        : openWebhookSecrets(vault, { accountId, row, place: endpointSecretPlace(endpointId) });
    opened.set(signerOf(row), await opening.catch(nullIfUnreadable));
  }
  return opened;
}

/** Of an event only the address is encrypted. */
const sealedOf = (row: ClaimedRow) => ({
  row,
  destination: Buffer.from(row.destination, 'base64'),
  input: row.event_id === null ? Buffer.from(row.input, 'base64') : NO_BYTES,
  finding: row.event_id === null ? Buffer.from(row.finding, 'base64') : NO_BYTES,
});

const NO_BYTES = Buffer.alloc(0);

/** Its event is null for a result. */
type Encrypted = ReturnType<typeof sealedOf> & { readonly event: CoveredEvent | null };

function openMessage(
  open: Decrypter,
  encrypted: Encrypted,
  secrets: readonly string[] | null | undefined,
): DeliveryMessage | null {
  if (!secrets) return null;
  try {
    const { account_id: accountId } = encrypted.row;
    const callbackUrl = open(accountId, destinationPlace(encrypted.row), encrypted.destination).toString(
      'utf8',
    );
    return { callbackUrl, body: openBody(open, encrypted), secrets };
  } catch (err) {
    return nullIfUnreadable(err);
  }
}

/**
 * Opened as the delivery's account, whose secrets sign it: a row that was pointed to another account's result or event
 * has no body.
 */
function openBody(open: Decrypter, { row, event, input, finding }: Encrypted): Buffer {
  if (row.event_id !== null) {
    const isForOwner = event?.account_id === row.account_id && event.type !== 'request.held';
    if (event === null || (row.reach === 'own' && !isForOwner))
      throw new DecryptionError('An event is of another account, or for operators.');
    return Buffer.from(row.subscription === null ? event.body : occurrenceOf(event.body));
  }
  return messageBody({
    requestId: row.request_id,
    receivedTimestamp: row.received_at.toISOString(),
    outcome: row.outcome,
    inputText: open(row.account_id, `request.input:${row.request_id}`, input),
    findingText: open(row.account_id, `result.body:${row.request_id}.${row.version}`, finding),
  });
}

/** For a row that cannot be decrypted, or is under a master key that so far only other processes have. */
function nullIfUnreadable(err: unknown): null {
  if (err instanceof DecryptionError || err instanceof WrongMasterKeyError) return null;
  throw err;
}

/** The prefix of a payload that names a host; any other payload is the `Store.notifier` of the notifying process. */
export const PROBE = 'probe:';

/** The prefix of a payload that announces a change of shards, followed by the `Store.notifier` of who made it. */
const SHARDS = 'shards:';

/** The receiver of `delivery_due`: this process's delivery worker. */
interface WokenByDue {
  /** A delivery of another process fell due. */
  readonly wake: () => void;
  /** Someone requested a redelivery to this host, so it may be back. Takes a `ClaimedDelivery.hostKey`. */
  readonly probe: (hostKey: string) => void;
  /** Another worker came, went, or gave shards back. */
  readonly regroup: () => void;
}

/**
 * A handler of `delivery_due` for `listen` that wakes the worker. It ignores this process's own notifications: the
 * worker already knows of these deliveries, and would claim twice for each.
 */
export function wakeWhenDue(
  { notifier }: Store,
  { wake, probe, regroup }: WokenByDue,
): (payload: string) => void {
  return (payload) => {
    if (payload.startsWith(PROBE)) probe(payload.slice(PROBE.length));
    else if (payload === notifier || payload === SHARDS + notifier) return;
    else if (payload.startsWith(SHARDS)) regroup();
    else wake();
  };
}

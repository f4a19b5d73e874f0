import { timingSafeEqual } from 'node:crypto';
import type { RequestModel } from '@insurance-verification/schema';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Vault } from '../encryption/vault.ts';
import { lockRequest } from '../intake/lock-request.ts';
import { openRequestModel, requestModelColumns } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { PROBE } from './claim-due-deliveries.ts';
import { MAY_GO_AGAIN } from './delivery-filter.ts';

interface Redelivery {
  readonly caller: Caller;
  readonly requestId: string;
}

type Redelivered =
  /** The request's new view. `under_way`: a round was already running and is not changed. */
  | { readonly kind: 'queued' | 'under_way'; readonly request: RequestModel }
  /** `erased`: the message is gone. */
  | { readonly kind: 'no_result' | 'not_found' | 'erased' };

/**
 * Starts a new round of attempts of a request's result, same id and bytes. The request keeps showing the last round's
 * outcome until this one ends.
 */
export async function redeliver(
  { db, vault }: Store,
  { caller, requestId }: Redelivery,
): Promise<Redelivered> {
  return db.transaction().execute(async (trx): Promise<Redelivered> => {
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    if (request.erased_at) return { kind: 'erased' };
    if (request.version === 0) return { kind: 'no_result' };
    await recordAccess(trx, { caller, operation: 'requests.redeliver', requestIds: [requestId] });
    const { rows: current } = await sql<{ id: string }>`
      select id from delivery where request_id = ${requestId} and version = ${request.version}`.execute(trx);
    const [queued] = await startRound(
      trx,
      current.map(({ id }) => id),
    );
    if (queued) await notifyHosts(trx, [queued.host]);
    const row = await trx
      .selectFrom('request')
      .select(requestModelColumns)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { kind: queued ? 'queued' : 'under_way', request: await openRequestModel(vault, row) };
  });
}

/** Requests locked at once: a verifier or a worker waits for one of them some 20 ms at most. */
const BATCH_COUNT = 250;

interface BulkRedelivery {
  readonly caller: Caller;
  readonly operation: 'deliveries.redeliverExhausted' | 'deliveries.redeliverMatching';
  /** The status that the messages have; they are checked again once they are locked. */
  readonly status: 'exhausted' | 'delivered';
  /** Only messages that were done before, as Postgres writes it: a Date would lose the microseconds. */
  readonly until: string;
  readonly limit: number;
  /** Selects `id` and `request_id`, null for an event, of at most so many messages. */
  readonly select: (count: number) => RawBuilder<unknown>;
}

/**
 * Starts a new round of attempts for the selected messages, as `redeliver` does for one: same id, same bytes. One
 * transaction per batch, so an interrupted call keeps its progress. Recorded for each request; once for a batch that has
 * only events, and for none.
 * @returns how many were queued.
 */
export async function queueAgain({ db }: Store, redelivery: BulkRedelivery): Promise<number> {
  let queuedCount = 0;
  while (queuedCount < redelivery.limit) {
    const batchCount = Math.min(BATCH_COUNT, redelivery.limit - queuedCount);
    const batch = await db.transaction().execute((trx) => queueBatch(trx, redelivery, batchCount));
    queuedCount += batch.queuedCount;
    if (batch.foundCount === 0) break;
  }
  const { caller, operation } = redelivery;
  if (queuedCount === 0) await recordAccess(db, { caller, operation });
  return queuedCount;
}

async function queueBatch(trx: Transaction<Tables>, redelivery: BulkRedelivery, batchCount: number) {
  const { caller, operation, status, until, select } = redelivery;
  const { rows: found } = await sql<{ id: string; request_id: string | null }>`
    ${select(batchCount)}`.execute(trx);
  // Locks the requests first, in id order, as everywhere (see lockRequest). Under the locks each delivery is checked
  // again: another call may have queued it by now, or a correction may have replaced it.
  await sql`
    select from request where id = any (${found.flatMap((row) => row.request_id ?? [])}::text[])
    order by id for no key update`.execute(trx);
  const queued = await startRound(
    trx,
    found.map(({ id }) => id),
    { status, until },
  );
  if (queued.length > 0) {
    const requestIds = queued.flatMap(({ requestId }) => requestId ?? []);
    await recordAccess(trx, { caller, operation, requestIds });
    await notifyHosts(
      trx,
      queued.map(({ host }) => host),
    );
  }
  return { foundCount: found.length, queuedCount: queued.length };
}

/** The database's time as text, to bound the messages that a call sends again. */
export async function readNow({ db }: Store): Promise<string> {
  const { now } = await db.selectNoFrom(sql<string>`now()::text`.as('now')).executeTakeFirstOrThrow();
  return now;
}

interface Bounds {
  /** Only messages that ended so. */
  readonly status?: 'exhausted' | 'delivered';
  /** Only messages that were done before, as Postgres writes it: a Date would lose the microseconds. */
  readonly until?: string;
}

interface StartedRound {
  /** Null for an event. */
  readonly requestId: string | null;
  /** Its `destination_host`. */
  readonly host: Buffer;
}

/**
 * Begins a new round of attempts for finished messages: same id, same bytes. This transaction has locked the requests of
 * those that carry results. A request keeps showing the last round's outcome until this one ends. Skips messages under
 * way, and those that may not go again. Events have no request to lock: locked in the order of their ids, two calls
 * cannot deadlock.
 */
async function startRound(
  trx: Transaction<Tables>,
  deliveryIds: readonly string[],
  { status, until }: Bounds = {},
): Promise<StartedRound[]> {
  const { rows } = await sql<{ request_id: string | null; destination_host: Buffer }>`
    with finished as (
      select delivery.id from delivery
      where delivery.id = any (${deliveryIds}::text[]) and ${MAY_GO_AGAIN}
        and delivery.status = any (${status === undefined ? ['exhausted', 'delivered'] : [status]})
        and delivery.done_at < coalesce(${until ?? null}::timestamptz, 'infinity')
      order by delivery.id
      for no key update
    ), started as (
      update delivery set status = 'pending', reason = null, done_at = null, round_attempt_count = 0
      from finished where delivery.id = finished.id and delivery.id = any (${deliveryIds}::text[])
      returning delivery.*
    )
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
    select destination_host, account_id, now(), id, request_id from started
    returning request_id, destination_host`.execute(trx);
  return rows.map((row) => ({ requestId: row.request_id, host: row.destination_host }));
}

/**
 * Notifies the workers of redeliveries to these hosts, so that their circuit breakers let a probe through: a redelivery
 * implies that the receiver is back.
 */
export async function notifyHosts(trx: Transaction<Tables>, hosts: readonly Buffer[]): Promise<void> {
  const payloads = new Set(hosts.map((host) => PROBE + host.toString('base64')));
  await sql`
    select pg_notify('delivery_due', payload) from unnest(${[...payloads]}::text[]) as payload`.execute(trx);
}

/** The messages that a dry run counted. The set only shrinks: a message sent again is done later than `doneBefore`. */
export interface CountedMessages {
  /** Only messages that were done before, as Postgres writes it. */
  readonly doneBefore: string;
  /** Only messages up to this id, the last one counted. */
  readonly lastId: string;
  readonly count: number;
}

/** Signs the count of a dry run, for one caller's reach and filters. */
export function signCounted(vault: Vault, counted: CountedMessages, filters: string): string {
  const { doneBefore, lastId, count } = counted;
  const text = JSON.stringify([doneBefore, lastId, count]);
  return `${Buffer.from(text).toString('base64url')}.${sign(vault, text, filters).toString('base64url')}`;
}

/** Reads the count from a token; null unless it was signed here for the same filters. */
export function readCounted(vault: Vault, token: string, filters: string): CountedMessages | null {
  const [encoded = '', signature = ''] = token.split('.');
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  const given = Buffer.from(signature, 'base64url');
  const right = sign(vault, text, filters);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const [doneBefore, lastId, count] = JSON.parse(text) as [string, string, number];
  return { doneBefore, lastId, count };
}

const sign = (vault: Vault, text: string, filters: string): Buffer =>
  vault.index('delivery.counted', `${text}\0${filters}`);

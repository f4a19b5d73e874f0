import { type Kysely, sql, type Transaction } from 'kysely';
import { withoutFlush } from '../connection/without-flush.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { dueAccounts, isErasing } from './due-accounts.ts';
import { type ErasableRequest, eraseRequests } from './erasure/erase-requests.ts';
import { keepingHolds } from './holds/standing-holds.ts';
import {
  latePastRetention,
  nextPastRetention,
  type PastRetention,
  retentionStart,
} from './past-retention.ts';

export type ErasedBatch =
  /** Another process does it. */
  | { readonly kind: 'busy' }
  /** `accountId`: whose turn it was; the next batch is of one behind it. */
  | { readonly kind: 'erased'; readonly count: number; readonly accountId: string }
  /** No account behind the one that was named has anything to erase. */
  | { readonly kind: 'done' };

/** How long a request is left to whoever has it locked. */
const LOCKED_MS = 3_600_000;

/** How soon a request is looked at again on which a legal hold stands. */
const HELD_MS = 86_400_000;

/**
 * Erases the data of the next finished requests whose account's retention is over: one batch of one account, account by
 * account, so that a large one does not keep the others waiting. One process at a time. A batch is one transaction: one
 * that is cut short leaves nothing half, and is done again.
 *
 * A request whose delivery is open, or ended later, comes again when it is old enough; so does one that somebody is
 * changing at the moment, and one that a legal hold keeps. An account that a hold keeps as a whole has no turn.
 */
export async function eraseDue(
  store: Store,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<ErasedBatch> {
  return store.db.transaction().execute(async (trx): Promise<ErasedBatch> => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCKS.erasure}::bigint) as mine, ${withoutFlush}`.execute(trx);
    if (!rows[0]?.mine) return { kind: 'busy' };
    const inside = { db: trx, vault: store.vault };
    const [due] = await dueAccounts(inside, { after, limit: 1 });
    if (!due) return { kind: 'done' };
    const account = await lockAccount(trx, due.accountId);
    const count = account ? await eraseBatch(trx, store, account, limit) : 0;
    return { kind: 'erased', count, accountId: due.accountId };
  });
}

/** Against a change of its retention, which is asked for again: once "keep" is answered, nothing more is erased. */
async function lockAccount(trx: Transaction<Tables>, accountId: string): Promise<PastRetention | null> {
  const row = await trx
    .selectFrom('account')
    .select(['retention_days', 'erased_through', sql<Date>`now()`.as('now')])
    .where('id', '=', accountId)
    .where(isErasing)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const endedBefore = retentionStart(row.now, row.retention_days ?? 0);
  return { accountId, through: row.erased_through, endedBefore };
}

async function eraseBatch(
  trx: Transaction<Tables>,
  store: Store,
  account: PastRetention,
  limit: number,
): Promise<number> {
  const { accountId, endedBefore } = account;
  const late = await idsOf(trx, latePastRetention(account, limit));
  const next = await idsOf(trx, nextPastRetention(account, limit));
  const ids = [...new Set([...late, ...next])];
  const locked = await lock(trx, ids);
  const standings = await standingsOf(trx, ids);
  const inside = { db: trx, vault: store.vault };
  // After the locks, which whoever places a hold takes as well.
  const holds = await keepingHolds(inside, { accountId, requestIds: ids });
  if (holds.some(({ requestId }) => requestId === null)) return 0;
  const heldIds = new Set(holds.map(({ requestId }) => requestId));
  const due = locked.filter(({ id }) => {
    const { endedAt = null, isErased } = standings.get(id) ?? {};
    return !isErased && !heldIds.has(id) && endedAt !== null && endedAt < endedBefore;
  });
  if (due.length > 0) await eraseRequests(trx, store, due);

  const lockedIds = new Set(locked.map((row) => row.id));
  const dueIds = new Set(due.map((row) => row.id));
  const later = [...standings]
    .filter(([id, { isErased }]) => !dueIds.has(id) && !isErased)
    .map(([id, { endedAt, now }]) => {
      const again = (ms: number) => new Date(endedBefore.getTime() + ms);
      const since = heldIds.has(id)
        ? again(HELD_MS)
        : lockedIds.has(id)
          ? (endedAt ?? now)
          : again(LOCKED_MS);
      return { account_id: accountId, request_id: id, since };
    });
  if (late.length > 0)
    await trx
      .deleteFrom('erasure_later')
      .where('account_id', '=', accountId)
      .where('request_id', 'in', late)
      .execute();
  if (later.length > 0) await trx.insertInto('erasure_later').values(later).execute();
  const through = next.at(-1);
  if (through !== undefined)
    await trx.updateTable('account').set({ erased_through: through }).where('id', '=', accountId).execute();
  return due.length;
}

async function idsOf(db: Kysely<Tables>, selected: ReturnType<typeof nextPastRetention>): Promise<string[]> {
  const { rows } = await selected.execute(db);
  return rows.map(({ id }) => id);
}

/** In id order, as everywhere (see lockRequest); whoever has one locked is not waited for. */
async function lock(trx: Transaction<Tables>, ids: readonly string[]): Promise<readonly ErasableRequest[]> {
  const { rows } = await sql<ErasableRequest>`
    select id, account_id, outcome_reason from request where id = any (${ids})
    order by id for no key update skip locked`.execute(trx);
  return rows;
}

interface Standing {
  /** When its last delivery ended; null while it has no result, or a delivery is open. */
  readonly endedAt: Date | null;
  readonly isErased: boolean;
  readonly now: Date;
}

interface StandingRow {
  readonly id: string;
  readonly ended_at: Date | null;
  readonly is_erased: boolean;
  readonly now: Date;
}

/** A statement of its own, behind the locks: what was changed until then is seen. */
async function standingsOf(
  trx: Transaction<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<StandingRow>`
    select request.id, erased_at is not null as is_erased, now(),
      case when outcome <> 'none' and delivered.is_done then delivered.at end as ended_at
    from request cross join lateral (
      select bool_and(done_at is not null) as is_done, max(done_at) as at
      from delivery where delivery.request_id = request.id
    ) as delivered
    where request.id = any (${ids})`.execute(trx);
  return new Map(
    rows.map(({ id, now, ...row }) => [id, { endedAt: row.ended_at, isErased: row.is_erased, now }]),
  );
}

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { withoutFlush } from '../connection/role-settings.ts';
import { FINISHED } from '../intake/read-request.ts';
import { issuedIdAt } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { type ErasableRequest, eraseRequests } from './erase-requests.ts';
import { keepingHolds } from './standing-holds.ts';

export type ErasedBatch =
  /** Another process does it. */
  | { readonly kind: 'busy' }
  /** `accountId`: whose turn it was; the next batch is of one after it. */
  | { readonly kind: 'erased'; readonly count: number; readonly accountId: string }
  /** No account after the one that was named has anything to erase. */
  | { readonly kind: 'done' };

/** How long a locked request is left alone. */
const LOCKED_MS = 3_600_000;

/** How soon a request under a legal hold is looked at again. */
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
  // After the locks, which placing a hold takes as well.
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

/** In id order, as everywhere (see lockRequest); a locked one is skipped. */
async function lock(trx: Transaction<Tables>, ids: readonly string[]): Promise<readonly ErasableRequest[]> {
  const { rows } = await sql<ErasableRequest>`
    select id, account_id, outcome_reason from request where id = any (${ids})
    order by id for no key update skip locked`.execute(trx);
  return rows;
}

interface Standing {
  /**
   * When its last delivery ended; null while it has no result, or a delivery is open. One whose answer is known has no
   * delivery, and ends with its last result.
   */
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

/** A statement of its own, after the locks: it sees all changes made before. */
async function standingsOf(
  trx: Transaction<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<StandingRow>`
    select request.id, erased_at is not null as is_erased, now(),
      case when outcome <> 'none' and delivered.is_done then delivered.at end as ended_at
    from request cross join lateral (
      select bool_and(done_at is not null) as is_done, max(done_at) as at
      from (
        select done_at from delivery where delivery.request_id = request.id
        union all
        select applied_at from result
        where result.request_id = request.id and request.account_id = ${KNOWN_ANSWERS_ACCOUNT_ID}
      ) as ended
    ) as delivered
    where request.id = any (${ids})`.execute(trx);
  return new Map(
    rows.map(({ id, now, ...row }) => [id, { endedAt: row.ended_at, isErased: row.is_erased, now }]),
  );
}

/** An account whose retention is over for some request. */
interface DueAccount extends PastRetention {
  /** Since when its data could have been erased, at most. */
  readonly dueSince: Date;
}

interface DueRow {
  readonly place: number;
  readonly due_since: Date;
}

/** A condition on `account`; holds are read separately. */
const isErasing = sql<boolean>`(retention_days is not null and (erases_from is null or erases_from <= now()))`;

/**
 * The accounts with something to erase, in the order of their ids. Each account with a retention costs a few probes of
 * indexes; the others none.
 * @param range.after only accounts after this one.
 * @param range.limit of the answer.
 */
async function dueAccounts(
  inside: Pick<Store, 'db' | 'vault'>,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<DueAccount[]> {
  const { db } = inside;
  const holds = await keepingHolds(inside, { requestIds: [] });
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'retention_days', 'erased_through', sql<Date>`now()`.as('now')])
    .where(isErasing)
    .where('id', '>', after)
    .where(sql<boolean>`id <> all (${holds.map(({ accountId }) => accountId)})`)
    .orderBy('id')
    .execute();
  const asked = accounts.map((row) => ({
    accountId: row.id,
    through: row.erased_through,
    endedBefore: retentionStart(row.now, row.retention_days ?? 0),
    days: row.retention_days ?? 0,
  }));
  const due: DueAccount[] = [];
  for (let from = 0; from < asked.length && due.length < limit; from += PROBE_COUNT)
    due.push(...(await probe(db, asked.slice(from, from + PROBE_COUNT), limit - due.length)));
  return due;
}

/** Accounts that one statement looks at. */
const PROBE_COUNT = 50;

async function probe(
  db: Kysely<Tables>,
  asked: readonly (PastRetention & { readonly days: number })[],
  limit: number,
): Promise<DueAccount[]> {
  const probes = asked.map(
    (account, place) => sql`
    select ${sql.lit(place)}::int as place, min(since) + ${account.days} * interval '1 day' as due_since from (
      (select received_at as since from request where id = (${nextPastRetention(account, 1)}))
      union all
      (select since from erasure_later where request_id = (${latePastRetention(account, 1)})
        and account_id = ${account.accountId})
    ) as oldest`,
  );
  const { rows } = await sql<DueRow>`
    select * from (${sql.join(probes, sql` union all `)}) as probed
    where due_since is not null order by place limit ${limit}`.execute(db);
  return rows.flatMap(({ place, due_since: dueSince }) => {
    const account = asked[place];
    return account ? [{ ...account, dueSince }] : [];
  });
}

const DAY_MS = 86_400_000;

/** Which of an account's requests are looked at: those that came in before the retention began. */
export interface PastRetention {
  readonly accountId: string;
  /** After this id; null from the first. */
  readonly through: string | null;
  /** The start of the retention: what was finished before is erased. */
  readonly endedBefore: Date;
}

/** The start of a retention of so many days. */
export const retentionStart = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Selects the ids of the next requests after `through`, the oldest first, unfinished ones too. One walk of an index for
 * each state, as in `pageOfIds`, so that no request up to `through`, nor of another account, is read: an index on `done_at`
 * would make every successful delivery a non-HOT update.
 */
export function nextPastRetention(
  { accountId, through, endedBefore }: PastRetention,
  count: number,
): RawBuilder<{ id: string }> {
  const end = issuedIdAt('req', endedBefore.getTime());
  const between = (column: string) => sql`account_id between ${accountId} and ${accountId}
    and ${sql.ref(column)} > ${through ?? ''} and ${sql.ref(column)} < ${end}`;
  const walks = FINISHED.map(
    ({ outcome, undelivered }) => sql`
      (select id from request where ${between('id')}
        and outcome = ${sql.lit(outcome)} and undelivered = ${sql.lit(undelivered)}
      order by account_id desc, id limit ${count})`,
  );
  const unfinished = sql`
      (select request_id as id from work_queue where ${between('request_id')}
      order by account_id, request_id limit ${count})`;
  return sql`select id from (${sql.join([...walks, unfinished], sql` union all `)}) as next
    order by id limit ${count}`;
}

/** Selects requests that were passed by, and are old enough by now, the oldest first. */
export function latePastRetention(
  { accountId, endedBefore }: Omit<PastRetention, 'through'>,
  count: number,
): RawBuilder<{ id: string }> {
  return sql`select request_id as id from erasure_later
    where account_id = ${accountId} and since < ${endedBefore} order by since limit ${count}`;
}

/** Accounts that are asked for what they have left: an answer for a scrape, however many there are. */
const ACCOUNT_COUNT_MAX = 1_000;

/** How many seconds ago the oldest request that waits for its erasure was due; 0 when none waits. */
export async function measureErasure(store: Store): Promise<number> {
  const due = await dueAccounts(store, { limit: ACCOUNT_COUNT_MAX });
  const oldest = Math.min(...due.map(({ dueSince }) => dueSince.getTime()));
  return Math.max(0, (Date.now() - oldest) / 1_000);
}

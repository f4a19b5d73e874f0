import type { AccountRetention } from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { CONFIRMABLE_DAYS } from '../access/two-people.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { findRow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { latePastRetention, nextPastRetention, type PastRetention, retentionStart } from './erase-due.ts';
import { keepingHolds, standingHolds } from './standing-holds.ts';

export interface RetentionAsking {
  readonly caller: Caller;
  readonly accountId: string;
  /** Counts what so many days would erase; by default what those that are set erase. */
  readonly days?: number | undefined;
}

/** `not_found`: no such account within the caller's reach. */
export type FoundAccountRetention =
  | { readonly kind: 'found'; readonly retention: AccountRetention }
  | { readonly kind: 'not_found' };

const CHANGE_COUNT_MAX = 20;

/** How long an account's requests keep their data, and how many would lose it. */
export async function getAccountRetention(
  store: Store,
  asking: RetentionAsking,
): Promise<FoundAccountRetention> {
  const found = await readAccountRetention(store, asking);
  const { caller, accountId } = asking;
  if (found.kind === 'found')
    await recordAccess(store.db, { caller, operation: 'accounts.retention', subjectId: accountId });
  return found;
}

/** Works inside or outside a transaction. */
export async function readAccountRetention(
  inside: Pick<Store, 'db' | 'vault'>,
  { caller, accountId, days }: RetentionAsking,
): Promise<FoundAccountRetention> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  const { db } = inside;
  const account = await db
    .selectFrom('account')
    .select(['retention_days', 'erased_through', sql<Date>`now()`.as('now')])
    .select(sql<Date | null>`case when erases_from > now() then erases_from end`.as('erases_from'))
    .where('id', '=', accountId)
    .where(within(caller, 'id'))
    .executeTakeFirst();
  if (!account) return { kind: 'not_found' };
  const counted = days ?? account.retention_days;
  const { count, more } =
    counted === null
      ? { count: 0, more: false }
      : await countErasable(inside, {
          accountId,
          through: account.erased_through,
          endedBefore: retentionStart(account.now, counted),
        });
  return {
    kind: 'found',
    retention: {
      account_id: accountId,
      retention_days: account.retention_days,
      erases_from: account.erases_from?.toISOString() ?? null,
      would_erase: count,
      more,
      asked: await readAsked(inside, accountId),
      holds: await standingHolds(inside, { accountId, requestId: null }),
      changes: await readChanges(db, accountId),
    },
  };
}

const lapsesAt = sql<Date>`(asked_at + make_interval(days => ${sql.lit(CONFIRMABLE_DAYS)}))`;

/** The shorter retention of an account that can be confirmed; undefined for none, and where its row was altered. */
export const findAsking = (inside: Pick<Store, 'db' | 'vault'>, accountId: string) =>
  findRow(inside, 'retention_asking', {
    is: { account_id: accountId },
    where: sql<boolean>`${lapsesAt} > now()`,
  });

async function readAsked(
  inside: Pick<Store, 'db' | 'vault'>,
  accountId: string,
): Promise<AccountRetention['asked']> {
  const asked = await findAsking(inside, accountId);
  if (!asked) return null;
  const { name, lapses_at: lapses } = await inside.db
    .selectFrom('retention_asking')
    .select([subjectNameOf('asked_by').as('name'), lapsesAt.as('lapses_at')])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    retention_days: asked.days,
    asked_by: asked.asked_by,
    asked_by_name: JSON.parse(name ?? 'null') as string | null,
    asked_at: asked.asked_at.toISOString(),
    lapses_at: lapses.toISOString(),
  };
}

async function readChanges(db: Kysely<Tables>, accountId: string): Promise<AccountRetention['changes']> {
  const rows = await db
    .selectFrom('retention_change')
    .select(['changed_at', 'changed_by', 'asked_by', 'days_before', 'days_after'])
    .where('account_id', '=', accountId)
    .orderBy('changed_at', 'desc')
    .limit(CHANGE_COUNT_MAX)
    .execute();
  return rows.map(({ changed_at: at, ...change }) => ({ changed_at: at.toISOString(), ...change }));
}

/** Requests that a count looks at: some 50 ms. */
const COUNT_MAX = 10_000;

/** Requests that would lose their data; `more` when there are others that were not looked at. */
async function countErasable(
  inside: Pick<Store, 'db' | 'vault'>,
  past: PastRetention,
): Promise<{ readonly count: number; readonly more: boolean }> {
  const holds = await keepingHolds(inside, { accountId: past.accountId, requestIds: 'any' });
  if (holds.some(({ requestId }) => requestId === null)) return { count: 0, more: false };
  const { rows } = await sql<{ looked_at: number; count: number }>`
    with candidate as materialized (
      (${latePastRetention(past, COUNT_MAX + 1)}) union (${nextPastRetention(past, COUNT_MAX + 1)})
      limit ${COUNT_MAX + 1}
    )
    select (select count(*)::int from candidate) as looked_at, count(*)::int as count
    from candidate join request on request.id = candidate.id
    cross join lateral (
      select bool_and(done_at is not null) as is_done, max(done_at) as at
      from delivery where delivery.request_id = request.id
    ) as delivered
    where outcome <> 'none' and erased_at is null and request.id <> all (${holds.map(({ requestId }) => requestId)})
      and is_done and at < ${past.endedBefore}`.execute(inside.db);
  const { count, looked_at: lookedAt } = rows[0] ?? { count: 0, looked_at: 0 };
  return { count: Math.min(count, COUNT_MAX), more: lookedAt > COUNT_MAX };
}

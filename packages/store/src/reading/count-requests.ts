import type { RequestStats } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import type { Store } from '../open-store.ts';

const COUNT_MAX = 10_000;

/** Of `work_queue`: its request has no result although the time at which it is needed is past. */
export const IS_LATE = sql<boolean>`work_queue.needed_by < now()`;

/**
 * How many requests within the caller's reach are late, and how many deliveries were given up, 10,000 at most of each.
 * Both are read by indexes that have no other rows.
 */
export async function countRequests(
  { db }: Pick<Store, 'db'>,
  { caller }: { readonly caller: Caller },
): Promise<RequestStats> {
  const { rows } = await sql<RequestStats>`
    select (
      select count(*)::int from (
        select from work_queue where ${IS_LATE} and ${within(caller, 'work_queue.account_id')} limit ${COUNT_MAX}
      ) as late
    ) as late_count, (
      select count(*)::int from (
        select from delivery where exhausted_at is not null and ${within(caller, 'delivery.account_id')} limit ${COUNT_MAX}
      ) as given_up
    ) as given_up_count`.execute(db);
  return rows[0] ?? { late_count: 0, given_up_count: 0 };
}

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { latePastRetention, nextPastRetention, type PastRetention } from './past-retention.ts';

/** Requests that a count looks at: some 50 ms. */
const COUNT_MAX = 10_000;

/** Requests that would lose their data; `more` when there are others that were not looked at. */
export async function countErasable(
  db: Kysely<Tables>,
  past: PastRetention,
): Promise<{ readonly count: number; readonly more: boolean }> {
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
    where outcome <> 'none' and erased_at is null and is_done and at < ${past.endedBefore}`.execute(db);
  const { count, looked_at: lookedAt } = rows[0] ?? { count: 0, looked_at: 0 };
  return { count: Math.min(count, COUNT_MAX), more: lookedAt > COUNT_MAX };
}

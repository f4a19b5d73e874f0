import type pg from 'pg';

/**
 * Counts the accounts that have requests before an id which they keep longer: their retention is not over at that time,
 * or they have none. Four probes of an index for each.
 * @param end of the month.
 */
export async function countKeeping(client: pg.ClientBase, requestEnd: string, end: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from account
     where (retention_days is null or $2::timestamptz + retention_days * interval '1 day' > now()) and exists (
       select from (values ('complete', false), ('complete', true), ('error_verifying', false), ('error_verifying', true))
         as state (outcome, undelivered)
       cross join lateral (
         select from request
         where account_id between account.id and account.id and request.outcome = state.outcome
           and request.undelivered = state.undelivered and request.id < $1
         limit 1
       ) as kept
     )`,
    [requestEnd, end],
  );
  return rows[0]?.count ?? 0;
}

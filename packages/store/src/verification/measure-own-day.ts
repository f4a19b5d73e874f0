import type { WorkDay } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { Store } from '../open-store.ts';

/** The caller's own work by hand since a time, a day ago at the earliest. Without ids or patients' data. */
export async function measureOwnDay(
  { db }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<WorkDay> {
  const { rows } = await sql<WorkDay>`
    select count(*) filter (where outcome = 'succeeded')::int as done_count,
      count(*) filter (where outcome = 'failed')::int as failed_count,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at)::float8)
        as seconds_p50,
      (select count(*)::int from draft join request on request.id = draft.request_id
        where draft.written_by = ${caller.keyId} and request.outcome = 'none') as draft_count
    from verification_attempt
    where key_id = ${caller.keyId} and channel in ('manual_web_portal', 'manual_phone_call')
      and ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and outcome in ('succeeded', 'failed')`.execute(db);
  const [day] = rows;
  if (!day) throw new Error('An aggregate without groups has one row.');
  return day;
}

import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { Store } from '../open-store.ts';

/** How many verifiers are on a call, by payer and channel. Reads those who are, by an index of just them. */
export async function countCalls({ db }: Store, mode: Caller['mode']) {
  const { rows } = await sql<{ payer_id: string; channel: string; count: number }>`
    select request.payer_id, request.channel, count(*)::int as count
    from verification_attempt as attempt join request on request.id = attempt.request_id
    where attempt.on_call_until is not null and attempt.on_call_until > now() and attempt.ended_at is null
      and request.sandbox = ${sql.lit(mode === 'test')}
    group by request.payer_id, request.channel`.execute(db);
  return rows;
}

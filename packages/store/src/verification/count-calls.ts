import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { Store } from '../open-store.ts';

/** How many verifiers are on a call, by payer and channel. Reads those who are, by an index of just them. */
export async function countCalls({ db }: Store, mode: Caller['mode']) {
  const { rows } = await sql<{ payer_id: string; channel: string; count: number }>`
    select attempt.payer_id, attempt.channel, count(*)::int as count
    from verification_attempt as attempt join account on account.id = attempt.account_id
    where attempt.on_call_until is not null and attempt.on_call_until > now() and attempt.ended_at is null
      and account.mode = ${sql.lit(mode)}
    group by attempt.payer_id, attempt.channel`.execute(db);
  return rows;
}

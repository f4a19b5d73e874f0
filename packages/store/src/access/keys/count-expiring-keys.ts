import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

/** Counts live keys of unsuspended accounts that expire within `days`. Uses an index on the expiry. */
export async function countExpiringKeys({ db }: Store, days: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('expires_at', '<=', sql<Date>`now() + make_interval(days => ${days})`)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

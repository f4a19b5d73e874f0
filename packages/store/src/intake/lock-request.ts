import { sql, type Transaction } from 'kysely';
import { type Reach, within } from '../access/reach.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Tables } from '../tables.ts';

const columns = [
  'id',
  'account_id',
  'payer_id',
  'input',
  'received_at',
  'outcome',
  'version',
  'channel',
  'channel_attempt_count',
  'verification_attempt_count',
  'lease_token',
  'lease_until',
  'erased_at',
] as const;

/**
 * Locks a request against every other change of its outcome until the transaction ends. Every transaction that changes
 * a request's results, deliveries or held outputs takes this lock first, which prevents deadlocks. Null when no such
 * request is within reach.
 */
export async function lockRequest(trx: Transaction<Tables>, requestId: string | null, reach: Reach) {
  if (requestId === null || !isIssuedId('req', requestId)) return null;
  const row = await trx
    .selectFrom((from) =>
      from
        .selectFrom('request')
        .select(columns)
        .where('id', '=', requestId)
        .where(within(reach, 'account_id'))
        .forNoKeyUpdate()
        .as('locked'),
    )
    .selectAll()
    // Uses the clock after the lock was obtained, not now(), the transaction's start: the wait may have outlasted the
    // lease. It is outside the locking select, whose columns are computed before the wait.
    .select(sql<boolean>`coalesce(lease_until > clock_timestamp(), false)`.as('lease_holds'))
    .executeTakeFirst();
  return row ?? null;
}

export type LockedRequest = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { requestModelColumns } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import type { LeasedRow } from './choosing/lease-chosen.ts';
import type { RequestClaim } from './claim-request.ts';
import { withinBounds } from './claim-work.ts';
import { lockLease } from './lock-lease.ts';
import { type ClaimedWork, openClaimed } from './open-claimed.ts';

export type RetakenLease =
  | { readonly kind: 'claimed'; readonly work: ClaimedWork }
  | { readonly kind: 'lease_lost' };

/**
 * Gives a caller's own lease a new token, without the old one: the program or the browser that knew it has ended. The
 * attempt continues, so a page that is loaded again is no attempt of its own. `lease_lost` where the caller does not hold
 * the request in one of the channels.
 */
export async function retakeLease(store: Store, given: RequestClaim): Promise<RetakenLease> {
  const claim = withinBounds(given);
  const row = await store.db.transaction().execute(async (trx): Promise<LeasedRow | null> => {
    const leaseToken = await ownLease(trx, claim);
    if (leaseToken === null) return null;
    const { caller, requestId, leaseSeconds } = claim;
    const lease = await lockLease(trx, { caller, requestId, leaseToken });
    if (lease.kind !== 'held') return null;
    const { channel, attempt_number: number } = lease.request;
    const offered = claim.channels.find((one) => one === channel);
    if (offered === undefined) return null;
    const { lease: token, leased_until: until } = await trx
      .updateTable('work_queue')
      .set({
        lease: sql<string>`gen_random_uuid()`,
        leased_at: sql<Date>`now()`,
        leased_until: sql<Date>`greatest(leased_until, now() + make_interval(secs => ${leaseSeconds}))`,
      })
      .where('request_id', '=', requestId)
      .returning([sql<string>`lease`.as('lease'), sql<Date>`leased_until`.as('leased_until')])
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('verification_attempt')
      .set({ lease_hash: sql<Buffer>`sha256(convert_to(${token}, 'UTF8'))` })
      .where('request_id', '=', requestId)
      .where('number', '=', number)
      .execute();
    await recordAccess(trx, { caller, operation: 'work.claimRequest', requestIds: [requestId] });
    const request = await trx
      .selectFrom('request')
      .select([...requestModelColumns])
      .select(['account_id', 'payer_id', 'service_date', 'needed_by'])
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return {
      ...request,
      lease_channel: offered,
      lease_token: token,
      lease_until: until,
      attempt_number: number,
    };
  });
  const [work] = row === null ? [] : await openClaimed(store, [row]);
  return work ? { kind: 'claimed', work } : { kind: 'lease_lost' };
}

/** The token of the lease that the caller holds; null for none. */
async function ownLease(
  trx: Transaction<Tables>,
  { caller, requestId }: RequestClaim,
): Promise<string | null> {
  const held = await trx
    .selectFrom('work_queue')
    .innerJoin('verification_attempt as attempt', 'attempt.request_id', 'work_queue.request_id')
    .select('work_queue.lease')
    .where('work_queue.request_id', '=', requestId)
    .where('attempt.ended_at', 'is', null)
    .where('attempt.key_id', '=', caller.keyId)
    .executeTakeFirst();
  return held?.lease ?? null;
}

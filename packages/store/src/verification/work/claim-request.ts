import type { HeldLease, VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within, withinPayers } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { requestModelColumns } from '../../intake/read-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Route } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { askedQueues, type WorkableQueue, workableQueues } from './choose-work.ts';
import { attendance, type ClaimedWork, openClaimed, withinBounds } from './claim-work.ts';
import { leaseChosen, type LeasedRow } from './lease-chosen.ts';
import { lockLease } from './work-lease.ts';

export interface RequestClaim {
  readonly caller: Caller;
  readonly requestId: string;
  readonly routes: readonly Route[];
  readonly channels: readonly VerificationSource[];
  readonly leaseSeconds: number;
}

type ClaimedRequest =
  | { readonly kind: 'claimed'; readonly work: ClaimedWork }
  /** `not_claimable`: it waits for a channel other than these, or its payer's cap on leases is reached. */
  | { readonly kind: 'not_found' | 'finished' | 'erased' | 'not_claimable' }
  | { readonly kind: 'leased'; readonly lease: HeldLease };

/**
 * Leases one named request, ahead of its queue and even before it is due. The route applies as in any claim: a channel
 * whose turn has not come, or that has used up its attempts, stays closed.
 */
export async function claimRequest(store: Store, given: RequestClaim): Promise<ClaimedRequest> {
  const claim = withinBounds(given);
  const { caller, requestId, routes } = claim;
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const standing = await readStanding(store, claim);
  if (!standing) return { kind: 'not_found' };
  if (standing.kind !== 'free') return standing;
  const ofPayer = routes.filter(({ payerId }) => payerId === standing.payerId);
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, { caller, routes: ofPayer }, channels);
  const queues = ofPayer.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return { kind: 'not_claimable' };
  const leasing = { ...claim, routes: ofPayer, operation: 'work.claimRequest' as const };
  const { leased } = await leaseChosen(store, leasing, {
    chosen: nameRequest(leasing, queues),
    pool: caller.mode,
    limit: 1,
    isNamed: true,
  });
  const [work] = await openClaimed(store, leased);
  if (work) return { kind: 'claimed', work };
  const now = await readStanding(store, claim);
  return !now || now.kind === 'free' ? { kind: 'not_claimable' } : now;
}

type Standing =
  | { readonly kind: 'free'; readonly payerId: string }
  | { readonly kind: 'finished' | 'erased' }
  | { readonly kind: 'leased'; readonly lease: HeldLease };

/** The place of a named request in the queue; undefined beyond the caller's reach. */
export async function readStanding(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: Pick<RequestClaim, 'caller' | 'requestId'>,
): Promise<Standing | undefined> {
  const { rows } = await sql<{
    payer_id: string;
    finished: boolean;
    erased: boolean;
    leased_until: Date | null;
    holder_name: string | null;
    on_call: boolean | null;
    in_portal: boolean | null;
  }>`
    select request.payer_id, request.outcome <> 'none' as finished,
      request.erased_at is not null as erased,
      case when queued.leased_until > now() then queued.leased_until end as leased_until,
      staff.name as holder_name, attempt.on_call_until > now() as on_call, attempt.in_portal
    from request left join work_queue queued on queued.request_id = request.id
      left join verification_attempt attempt on attempt.request_id = request.id and attempt.ended_at is null
      left join staff on staff.id = attempt.key_id
    where request.id = ${requestId} and ${within(caller, 'request.account_id')}
      and ${withinPayers(caller, 'request.payer_id')}
      and (request.outcome <> 'none' or request.sandbox = ${caller.mode === 'test'})`.execute(db);
  const [row] = rows;
  if (row?.erased) return { kind: 'erased' };
  if (row?.finished) return { kind: 'finished' };
  if (row?.leased_until)
    return {
      kind: 'leased',
      lease: {
        holder_name: row.holder_name === null ? null : (JSON.parse(row.holder_name) as string),
        expires_at: row.leased_until.toISOString(),
        place: row.on_call ? (row.in_portal ? 'portal' : 'phone') : null,
      },
    };
  return row && { kind: 'free', payerId: row.payer_id };
}

/** The request, once for each queue where it may wait. */
function nameRequest(
  { caller, requestId, routes }: RequestClaim,
  queues: readonly WorkableQueue[],
): RawBuilder<unknown> {
  return sql`(
      select queue.*, ${requestId}::text as id, 1 as place, 1 as candidate_count
      from ${askedQueues({ queues, routes, pool: caller.mode })} as queue where queue.room is null or queue.room > 0
    )`;
}

type RetakenLease =
  | { readonly kind: 'claimed'; readonly work: ClaimedWork }
  | { readonly kind: 'lease_lost' };

/**
 * Gives a caller's own lease a new token, without the old one: the program or the browser that knew it has ended. The
 * attempt continues, so reloading a page begins no second attempt. `lease_lost` if the caller does not hold the
 * request in one of the channels.
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
    return readLeased(trx, {
      id: requestId,
      lease_channel: offered,
      lease_token: token,
      lease_until: until,
      attempt_number: number,
      of_batch: lease.request.batch_id !== null,
    });
  });
  const [work] = row === null ? [] : await openClaimed(store, [row]);
  return work ? { kind: 'claimed', work } : { kind: 'lease_lost' };
}

type Leased = Pick<
  LeasedRow,
  'id' | 'lease_channel' | 'lease_token' | 'lease_until' | 'attempt_number' | 'of_batch'
>;

/** Reads a request that the transaction leased, for `openClaimed`. */
export async function readLeased(trx: Transaction<Tables>, leased: Leased): Promise<LeasedRow> {
  const request = await trx
    .selectFrom('request')
    .select([...requestModelColumns])
    .select(['account_id', 'payer_id', 'service_date', 'gender', 'needed_by'])
    .where('id', '=', leased.id)
    .executeTakeFirstOrThrow();
  return { ...request, ...leased };
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

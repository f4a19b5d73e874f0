import type { VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Route } from '../route.ts';
import { leaseChosen } from './choosing/lease-chosen.ts';
import { askedQueues, inPool, type Pool } from './choosing/select-workable.ts';
import { type WorkableQueue, workableQueues } from './choosing/workable-queues.ts';
import { attendance } from './claim-work.ts';
import { type ClaimedWork, openClaimed } from './open-claimed.ts';

export interface RequestClaim {
  readonly caller: Caller;
  readonly requestId: string;
  readonly routes: readonly Route[];
  readonly channels: readonly VerificationSource[];
  readonly leaseSeconds: number;
}

export type ClaimedRequest =
  | { readonly kind: 'claimed'; readonly work: ClaimedWork }
  /** `not_claimable`: it waits for a channel other than these, or its payer has no room for another lease. */
  | { readonly kind: 'not_found' | 'finished' | 'leased' | 'not_claimable' };

/**
 * Leases one named request, ahead of its queue and even before it is due. The route applies as in any claim: a channel
 * whose turn has not come, or that has used up its attempts, stays closed.
 */
export async function claimRequest(store: Store, claim: RequestClaim): Promise<ClaimedRequest> {
  const { caller, requestId, routes } = claim;
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const standing = await readStanding(store, claim);
  if (standing?.kind !== 'free') return { kind: standing?.kind ?? 'not_found' };
  const ofPayer = routes.filter(({ payerId }) => payerId === standing.payerId);
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, { caller, routes: ofPayer }, channels);
  const queues = ofPayer.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return { kind: 'not_claimable' };
  const leasing = { ...claim, routes: ofPayer, operation: 'work.claimRequest' as const };
  const { leased } = await leaseChosen(store, leasing, selectNamed(leasing, queues));
  const [work] = await openClaimed(store, leased);
  if (work) return { kind: 'claimed', work };
  const now = await readStanding(store, claim);
  return { kind: !now || now.kind === 'free' ? 'not_claimable' : now.kind };
}

type Standing =
  | { readonly kind: 'free'; readonly payerId: string }
  | { readonly kind: 'finished' | 'leased' };

async function readStanding(
  { db }: Store,
  { caller, requestId }: RequestClaim,
): Promise<Standing | undefined> {
  const { rows } = await sql<{ payer_id: string; finished: boolean; leased: boolean }>`
    select payer_id, outcome <> 'none' as finished, coalesce(lease_until > now(), false) as leased
    from request where id = ${requestId} and ${within(caller, 'account_id')}
      and (outcome <> 'none' or sandbox = ${caller.mode === 'test'})`.execute(db);
  const [row] = rows;
  if (row?.finished) return { kind: 'finished' };
  if (row?.leased) return { kind: 'leased' };
  return row && { kind: 'free', payerId: row.payer_id };
}

/**
 * Waits for a concurrent holder of the row and then rechecks that it is free. Only this row is wanted, so it is not
 * skipped.
 */
function selectNamed(
  { caller, requestId, routes }: RequestClaim,
  queues: readonly WorkableQueue[],
): RawBuilder<unknown> {
  const pool: Pool = caller.mode;
  return sql`
    ${askedQueues({ queues, routes, pool })}, chosen as (
      select 1 as place, queue.channel, queue.seconds_max, request.id, request.channel as queue,
        request.lease_until as lapsed_at
      from request join queue on queue.payer_id = request.payer_id and queue.queue = request.channel
      where request.id = ${requestId} and request.outcome = 'none' and ${inPool[pool]}
        and (request.lease_until is null or request.lease_until <= now())
        and (request.channel <> queue.channel or request.channel_attempt_count < queue.attempt_count_max)
        and (queue.room is null or queue.room > 0)
      for no key update of request
    ), allowed as (select id from chosen)`;
}

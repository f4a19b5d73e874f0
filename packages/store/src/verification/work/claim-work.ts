import type { VerificationSource } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';
import type { Pool, Route } from '../../tables/route.ts';
import { type IsAttended, noteAttendance } from './choosing/attended-channels.ts';
import { chooseAmong } from './choosing/choose-among.ts';
import { chooseWork } from './choosing/choose-work.ts';
import { leaseChosen, type LeasedRows } from './choosing/lease-chosen.ts';
import { type WorkableQueue, workableQueues } from './choosing/workable-queues.ts';
import { type ClaimedWork, openClaimed } from './open-claimed.ts';

export interface WorkClaim {
  readonly caller: Caller;
  /** The routes of the payers to work for. */
  readonly routes: readonly Route[];
  readonly channels: readonly VerificationSource[];
  readonly limit: number;
  readonly leaseSeconds: number;
  /** For a test caller: true for the sandbox, which checks each request first; verifiers get those it passes on. */
  readonly asSandbox?: boolean;
}

export interface WorkClaimed {
  readonly works: readonly ClaimedWork[];
  /** The claim saw more waiting requests than it took. If false, an immediate second claim finds only newer ones. */
  readonly mayHaveMore: boolean;
}

/** Rows that each try looks at beyond the limit. Concurrent claims all see the same first rows. */
const SPARE_COUNTS = [16, 64, 256] as const;

/**
 * Leases up to `limit` waiting requests to the caller: the least recently served account first, and within an account
 * the longest due first. Never one with a valid lease. A request with a lapsed lease is due again; its attempt ends
 * with the lease.
 */
export async function claimWork(store: Store, given: WorkClaim): Promise<WorkClaimed> {
  const claim = withinBounds(given);
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, claim, channels);
  const queues = claim.routes.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return { works: [], mayHaveMore: false };
  const { candidateCount, leased } = await store.claiming(() => leaseSome(store, claim, queues));
  return { works: await openClaimed(store, leased), mayHaveMore: candidateCount > leased.length };
}

/** A claim of no more than its caller is kept to. */
export function withinBounds<Claim extends Pick<WorkClaim, 'caller' | 'routes' | 'channels'>>(
  claim: Claim,
): Claim {
  const { payer_ids: payerIds, channels } = claim.caller.verifyWithin ?? {};
  return {
    ...claim,
    routes: payerIds ? claim.routes.filter(({ payerId }) => payerIds.includes(payerId)) : claim.routes,
    channels: channels ? claim.channels.filter((channel) => channels.includes(channel)) : claim.channels,
  };
}

/** Only work on live requests keeps a channel attended: trying out a test key must not change a live route. */
export async function attendance(
  store: Store,
  { caller, asSandbox, routes }: Pick<WorkClaim, 'caller' | 'asSandbox' | 'routes'>,
  channels: ReadonlySet<VerificationSource>,
): Promise<IsAttended> {
  if (caller.mode === 'live') return noteAttendance(store, routes, channels);
  return () => asSandbox === true;
}

/** A live caller's claim gets only live requests, a test caller's only those of test accounts. */
function poolOf({ caller, asSandbox }: WorkClaim): Pool {
  if (caller.mode === 'live') return 'live';
  return asSandbox ? 'sandbox' : 'test';
}

async function leaseSome(
  store: Store,
  claim: WorkClaim,
  queues: readonly WorkableQueue[],
): Promise<LeasedRows> {
  let seen: LeasedRows = { candidateCount: 0, leased: [] };
  for (const [index, spareCount] of SPARE_COUNTS.entries()) {
    const isFirstTry = index === 0;
    const pool = poolOf(claim);
    const accountIds = claim.caller.verifyWithin?.account_ids;
    const choosing = { ...claim, queues, pool, spareCount, isFirstTry };
    const chosen = accountIds ? chooseAmong(choosing, accountIds) : chooseWork(choosing);
    const choice = { chosen, pool, limit: claim.limit, isNamed: false };
    seen = await leaseChosen(store, { ...claim, operation: 'work.claim' }, choice);
    if (seen.leased.length > 0 || seen.candidateCount === 0) break;
  }
  return seen; // none leased: concurrent claims are leasing every row seen
}

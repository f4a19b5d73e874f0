import type { VerificationSource } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { createTurnstile, type Turnstile } from '../../connection/create-turnstile.ts';
import type { Store } from '../../open-store.ts';
import type { Route } from '../route.ts';
import { type IsAttended, noteAttendance } from './attended-channels.ts';
import { leaseChosen, type LeasedRows } from './lease-chosen.ts';
import { type ClaimedWork, openClaimed } from './open-claimed.ts';
import { type Pool, selectWorkable } from './select-workable.ts';
import { type WorkableQueue, workableQueues } from './workable-queues.ts';

export interface WorkClaim {
  readonly caller: Caller;
  /** Of the payers to work for. */
  readonly routes: readonly Route[];
  readonly channels: readonly VerificationSource[];
  readonly limit: number;
  readonly leaseSeconds: number;
  /** Of a test caller: true for the sandbox, which looks at each request first; then come those it left to verifiers. */
  readonly asSandbox?: boolean;
}

export interface WorkClaimed {
  readonly works: readonly ClaimedWork[];
  /** The claim saw more that waits than it took. Without it a second look finds only what came since. */
  readonly mayHaveMore: boolean;
}

/** How far beyond what is wanted each try looks. Rivals that claim at once all see the same first rows. */
const SPARE_COUNTS = [16, 64, 256] as const;

/**
 * Leases up to `limit` waiting requests to the caller: of the account that was served longest ago first, of each account
 * the longest due first. Never one that somebody holds. A lapsed lease is simply due again; its attempt ends with it.
 */
export async function claimWork(store: Store, claim: WorkClaim): Promise<WorkClaimed> {
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, claim, channels);
  const queues = claim.routes.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return { works: [], mayHaveMore: false };
  const { candidateCount, leased } = await turnstileOf(store)(() => leaseSome(store, claim, queues));
  return { works: await openClaimed(store, leased), mayHaveMore: candidateCount > leased.length };
}

/** Only who works on real requests keeps a channel attended: that somebody tries out a test key changes no real route. */
export async function attendance(
  store: Store,
  { caller, asSandbox, routes }: Pick<WorkClaim, 'caller' | 'asSandbox' | 'routes'>,
  channels: ReadonlySet<VerificationSource>,
): Promise<IsAttended> {
  if (caller.mode === 'live') return noteAttendance(store, routes, channels);
  return () => asSandbox === true;
}

/** A live caller's claim meets live requests alone, a test caller's those of test accounts. */
function poolOf({ caller, asSandbox }: WorkClaim): Pool {
  if (caller.mode === 'live') return 'live';
  return asSandbox ? 'sandbox' : 'test';
}

/** Claims of one process that are under way at once. With more they only collide, and hold connections meanwhile. */
const AT_ONCE_MAX = 4;

const turnstiles = new WeakMap<Store['vault'], Turnstile>();

function turnstileOf({ vault }: Store): Turnstile {
  const turnstile = turnstiles.get(vault) ?? createTurnstile(AT_ONCE_MAX);
  turnstiles.set(vault, turnstile);
  return turnstile;
}

async function leaseSome(
  store: Store,
  claim: WorkClaim,
  queues: readonly WorkableQueue[],
): Promise<LeasedRows> {
  let seen: LeasedRows = { candidateCount: 0, leased: [] };
  for (const spareCount of SPARE_COUNTS) {
    const chosen = selectWorkable({ ...claim, queues, pool: poolOf(claim), spareCount });
    seen = await leaseChosen(store, { ...claim, operation: 'work.claim' }, chosen);
    if (seen.leased.length > 0 || seen.candidateCount === 0) break;
  }
  return seen; // none leased: so many rivals that every row seen was being leased by one of them
}

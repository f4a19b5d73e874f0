import type { RequestModel, VerificationAttempt, VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { DecryptionError } from '../../encryption/encrypt.ts';
import { WrongMasterKeyError } from '../../encryption/master-keys.ts';
import { readAttempts } from '../../evidence/attempt-evidence.ts';
import { readQueueDepths } from '../../facts/queue-depths.ts';
import { openGender, openRequestModel, openServiceDate } from '../../intake/read-request.ts';
import type { Store } from '../../open-store.ts';
import { hoursOf, isPhone, type Pool, type Route } from '../../tables/intake.ts';
import { chooseCallBacks, chooseFirst, countOwnDue } from './call-backs.ts';
import {
  chooseAmong,
  chooseWork,
  type IsAttended,
  noteAttendance,
  readAttendance,
  type WorkableQueue,
  workableQueues,
} from './choose-work.ts';
import { leaseChosen, type LeasedRow, type LeasedRows } from './lease-chosen.ts';

export interface WorkClaim {
  readonly caller: Caller;
  /** The routes of the payers to work for. */
  readonly routes: readonly Route[];
  readonly channels: readonly VerificationSource[];
  readonly limit: number;
  readonly leaseSeconds: number;
  /** Requests of an account's batches at a payer to lease at most; null or absent: as many as their places allow. */
  readonly batchLimit?: number | null;
  /** For a test caller: true for the sandbox, which checks each request first; verifiers get those it passes on. */
  readonly asSandbox?: boolean;
}

interface WorkClaimed {
  readonly works: readonly ClaimedWork[];
  /** The claim saw more waiting requests than it took. If false, an immediate second claim finds only newer ones. */
  readonly mayHaveMore: boolean;
}

/** Rows that each try reads beyond the limit. Concurrent claims all see the same first rows. */
const SPARE_COUNTS = [16, 64, 256] as const;

/**
 * Leases up to `limit` waiting requests to the caller: by phone first where a payer has just opened, then the least recently served account first, and within an account
 * the longest due first. Never one with a valid lease. A request with a lapsed lease is due again; its attempt ends
 * with the lease.
 */
export async function claimWork(store: Store, given: WorkClaim): Promise<WorkClaimed> {
  const claim = withoutHours(withinBounds(given));
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, claim, channels);
  const queues = claim.routes.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return { works: [], mayHaveMore: false };
  const { candidateCount, leased } = await store.claiming(() => leaseSome(store, claim, queues));
  return { works: await openClaimed(store, leased), mayHaveMore: candidateCount > leased.length };
}

/** The sandbox calls no payer: it answers at any hour. */
function withoutHours(claim: WorkClaim): WorkClaim {
  if (!claim.asSandbox) return claim;
  return { ...claim, routes: claim.routes.map((route) => ({ ...route, phoneHours: null })) };
}

/** Reduces a claim to the payers and channels that its caller is limited to. */
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

/** Call-backs whose time has come are leased before all other work, and a claim gets either those or other work. */
async function leaseSome(
  store: Store,
  claim: WorkClaim,
  queues: readonly WorkableQueue[],
): Promise<LeasedRows> {
  const callBacks = callBacksAmong(claim, queues);
  const opened = queues.filter((queue) => hasJustOpened(claim.routes, queue));
  if (opened.length === 0) return leaseFrom(store, claim, { queues, callBacks });
  const first = await leaseFrom(store, claim, { queues: opened, callBacks });
  return first.leased.length > 0 ? first : leaseFrom(store, claim, { queues, callBacks: null });
}

/** How long after a payer opened its phone work comes before all other. */
const OPENED_MS = 3_600_000;

/** Whether a queue waited for its payer to open within the last hour. */
function hasJustOpened(routes: readonly Route[], { payerId, channel }: WorkableQueue): boolean {
  const route = routes.find((one) => one.payerId === payerId);
  const openedAt = route && hoursOf(route, channel.source)?.openedAt(new Date());
  return openedAt != null && Date.now() - openedAt.getTime() < OPENED_MS;
}

interface LeaseSource {
  readonly queues: readonly WorkableQueue[];
  /** Selects call-backs to lease instead of all else, if it finds any; null for none. */
  readonly callBacks: RawBuilder<unknown> | null;
}

async function leaseFrom(
  store: Store,
  claim: WorkClaim,
  { queues, callBacks }: LeaseSource,
): Promise<LeasedRows> {
  let seen: LeasedRows = { candidateCount: 0, leased: [] };
  for (const [index, spareCount] of SPARE_COUNTS.entries()) {
    const isFirstTry = index === 0;
    const pool = poolOf(claim);
    const accountIds = claim.caller.verifyWithin?.account_ids;
    const choosing = { batchLimit: null, ...claim, queues, pool, spareCount, isFirstTry };
    const others = accountIds ? chooseAmong(choosing, accountIds) : chooseWork(choosing);
    // Once: if other claims are leasing all of them, this one gets other work.
    const chosen = callBacks && isFirstTry ? chooseFirst(callBacks, others) : others;
    const choice = { chosen, pool, limit: claim.limit, isNamed: false };
    seen = await leaseChosen(store, { ...claim, operation: 'work.claim' }, choice);
    if (seen.leased.length > 0 || seen.candidateCount === 0) break;
  }
  return seen; // none leased: concurrent claims are leasing every row seen
}

/** Selects the call-backs whose time has come; null where the claim may take no work by phone. */
function callBacksAmong(claim: WorkClaim, queues: readonly WorkableQueue[]): RawBuilder<unknown> | null {
  const { caller, limit, routes } = claim;
  const phones = queues.filter(({ queue }) => isPhone(queue));
  if (phones.length === 0) return null;
  return chooseCallBacks({ queues: phones, routes, pool: poolOf(claim), limit }, caller);
}

/** A request that only this claimer may work on until the lease ends. */
export interface ClaimedWork {
  readonly requestId: string;
  readonly payerId: string;
  readonly accountId: string;
  readonly channel: VerificationSource;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** From 1, across all channels. */
  readonly attemptNumber: number;
  readonly request: RequestModel;
  /** The day to ask about, `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  /** The patient's gender for inquiries, `F`, `M` or `U`; absent where the request does not give it. */
  readonly gender?: string;
  /** When its account needs the first result; null if it gave no time. */
  readonly neededBy: Date | null;
  /** It came in a batch. */
  readonly isOfBatch: boolean;
  /** The attempts before this one, first to last. */
  readonly history: readonly VerificationAttempt[];
}

/** Decrypts leased requests, with their earlier attempts. */
export async function openClaimed(store: Store, rows: readonly LeasedRow[]): Promise<ClaimedWork[]> {
  const tried = rows.filter((row) => row.attempt_number > 1).map((row) => row.id);
  const history = await readAttempts(store, tried);
  const opened = await Promise.all(rows.map((row) => decryptOrNull(store, row, history.get(row.id) ?? [])));
  return opened.filter((work) => work !== null);
}

/**
 * Null for a row whose encrypted values cannot be decrypted: it stays leased, its leases lapse and count, and the other rows
 * continue.
 */
async function decryptOrNull(
  { vault }: Store,
  row: LeasedRow,
  attempts: readonly VerificationAttempt[],
): Promise<ClaimedWork | null> {
  try {
    return {
      requestId: row.id,
      payerId: row.payer_id,
      accountId: row.account_id,
      channel: row.lease_channel,
      leaseToken: row.lease_token,
      leaseUntil: row.lease_until,
      attemptNumber: row.attempt_number,
      request: await openRequestModel(vault, row),
      serviceDate: await openServiceDate(vault, row),
      ...(row.gender !== null && { gender: (await openGender(vault, row)) ?? 'U' }),
      neededBy: row.needed_by,
      isOfBatch: row.of_batch,
      history: attempts.filter(({ number }) => number < row.attempt_number),
    };
  } catch (err) {
    if (err instanceof DecryptionError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}

/** The requests that successive claims would lease, of one payer and to be worked in one channel. */
interface Claimable {
  readonly payerId: string;
  readonly channel: VerificationSource;
  readonly count: number;
  /** How long the longest waiting of them has been due; null without any. */
  readonly oldestSeconds: number | null;
  /** How many of them their accounts needed before now. */
  readonly lateCount: number;
  /** When the next of the others is needed; null where none says when. */
  readonly nextNeededAt: Date | null;
}

/**
 * Counts the requests that `claimWork` would lease to this caller for these channels, if each were done before the
 * next is claimed, its own call-backs whose time has come included; a payer's cap on requests under way is ignored. From the depths of the queues, so with more than
 * 500 requests as old as their last count.
 */
export async function countClaimable(
  store: Store,
  given: Pick<WorkClaim, 'caller' | 'routes' | 'channels'>,
): Promise<Claimable[]> {
  const { caller, routes, channels } = withinBounds(given);
  const isAttended = caller.mode === 'live' ? await readAttendance(store, routes) : () => false;
  const scope = await accountsOf(store, caller);
  const { depths } = await readQueueDepths(store, { queue: 'work', routes, scope });
  const own = await countOwnDue(store, caller);
  return routes.flatMap((route) => {
    const queues = workableQueues(route, new Set(channels), (channel) => isAttended(route.payerId, channel));
    return route.channels.map(({ source: channel }) => {
      const names = new Set<string>(
        queues.filter((one) => one.channel.source === channel).map(({ queue }) => queue),
      );
      const found = depths.filter((depth) => depth.payer_id === route.payerId && names.has(depth.channel));
      const due = own.filter(
        (one) => one.payer_id === route.payerId && one.channel === channel && names.has(channel),
      );
      const ages = [
        ...found.flatMap((depth) => depth.oldest_claimable_seconds ?? []),
        ...due.map((one) => one.oldest_seconds),
      ];
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
      const counted = [...found, ...due];
      const neededAt = counted.flatMap((one) => one.next_needed_at?.getTime() ?? []);
      return {
        payerId: route.payerId,
        channel,
        count: sum([...found.map((depth) => depth.claimable_count), ...due.map((one) => one.count)]),
        lateCount: sum(counted.map((one) => one.late_count)),
        nextNeededAt: neededAt.length > 0 ? new Date(Math.min(...neededAt)) : null,
        oldestSeconds: ages.length > 0 ? Math.max(...ages) : null,
      };
    });
  });
}

/** The caller's mode, for all its accounts; or the accounts of that mode that a verifier is limited to. */
async function accountsOf({ db }: Store, { mode, verifyWithin }: Caller): Promise<string | string[]> {
  if (!verifyWithin?.account_ids) return mode;
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('id', 'in', verifyWithin.account_ids)
    .where('mode', '=', mode)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Notifies every process that there is work. Separate from the insert: at the commit a notification takes a server-wide
 * lock, which would serialize all intake. A process that misses it finds the work at its next poll.
 */
export async function notifyWork({ db }: Store): Promise<void> {
  await sql`select pg_notify('work_due', '')`.execute(db);
}

import type { RequestModel, VerificationSource } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { WrongMasterKeyError } from '../encryption/check-master-keys.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import type { Store } from '../open-store.ts';
import { openRequestModel, type RequestModelRow } from '../request-row.ts';
import { type IsAttended, noteAttendance } from './attended-channels.ts';
import { createTurnstile, type Turnstile } from '../create-turnstile.ts';
import { type AttemptView, readAttempts } from './read-attempts.ts';
import type { Route } from './route.ts';
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

/** A request that this claimer alone may work on until its lease ends. */
export interface ClaimedWork {
  readonly requestId: string;
  readonly payerId: string;
  readonly accountId: string;
  readonly channel: VerificationSource;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** From 1, over all channels. */
  readonly attemptNumber: number;
  readonly request: RequestModel;
  /** The attempts before this one, first to last. */
  readonly history: readonly AttemptView[];
}

interface LeasedRow extends RequestModelRow {
  place: number;
  account_id: string;
  payer_id: string;
  lease_channel: VerificationSource;
  lease_token: string;
  lease_until: Date;
  verification_attempt_count: number;
}

/** How far beyond what is wanted each try looks. Rivals that claim at once all see the same first rows. */
const SPARE_COUNTS = [16, 64, 256] as const;

/**
 * Leases up to `limit` waiting requests to the caller: of the account that was served longest ago first, of each account
 * the longest due first. Never one that somebody holds. A lapsed lease is simply due again; its attempt ends with it.
 */
export async function claimWork(store: Store, claim: WorkClaim): Promise<ClaimedWork[]> {
  const channels = new Set(claim.channels);
  const isAttended = await attendance(store, claim, channels);
  const queues = claim.routes.flatMap((route) =>
    workableQueues(route, channels, (channel) => isAttended(route.payerId, channel)),
  );
  if (queues.length === 0) return [];
  const leased = await turnstileOf(store)(() => leaseSome(store, claim, queues));
  return openClaimed(store, leased);
}

/** Only who works on real requests keeps a channel attended: that somebody tries out a test key changes no real route. */
async function attendance(
  store: Store,
  { caller, asSandbox, routes }: WorkClaim,
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
): Promise<LeasedRow[]> {
  for (const spareCount of SPARE_COUNTS) {
    const { candidateCount, leased } = await lease(store, claim, queues, spareCount);
    if (leased.length > 0 || candidateCount === 0) return leased;
  }
  return []; // so many rivals that every row seen was being leased by one of them
}

async function lease(
  store: Store,
  claim: WorkClaim,
  queues: readonly WorkableQueue[],
  spareCount: number,
): Promise<{ candidateCount: number; leased: LeasedRow[] }> {
  const { caller } = claim;
  const statement = sql<{ candidate_count: number } & (LeasedRow | { id: null })>`
    with recursive ${selectWorkable({ ...claim, queues, pool: poolOf(claim), spareCount })},
    leased as (
      update request set
        lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => ${claim.leaseSeconds}),
        channel = chosen.channel,
        channel_entered_at = case when chosen.queue = chosen.channel then channel_entered_at else now() end,
        channel_until = case when chosen.queue = chosen.channel then channel_until
          else now() + make_interval(secs => chosen.seconds_max) end,
        channel_attempt_count = case when chosen.queue = chosen.channel then channel_attempt_count else 0 end + 1,
        verification_attempt_count = verification_attempt_count + 1
      from chosen where request.id = chosen.id
      returning chosen.place, request.id, request.account_id, request.payer_id, request.channel as lease_channel,
        request.lease_token, request.lease_until, request.verification_attempt_count, request.input,
        request.received_at, request.outcome, request.outcome_reason, request.delivery, request.delivery_reason
    ), lapsed as (
      update verification_attempt set ended_at = chosen.lapsed_at, outcome = 'lease_expired'
      from chosen
      where verification_attempt.request_id = chosen.id and verification_attempt.ended_at is null
        and chosen.lapsed_at is not null
    ), attempted as (
      insert into verification_attempt (request_id, number, account_id, payer_id, channel, key_id)
      select id, verification_attempt_count, account_id, payer_id, lease_channel, ${caller.keyId} from leased
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id)
      select ${caller.keyId}, ${caller.accountId}, 'work.claim', id from leased
    )
    select (select count(*)::int from allowed) as candidate_count, leased.*
    from (select) as always left join leased on true
    order by leased.place`;
  const capped = claim.routes.filter((route) => route.inFlightCountMax !== null);
  const { rows } =
    capped.length === 0
      ? await statement.execute(store.db)
      : await store.db.transaction().execute(async (trx) => {
          // One claimer of a capped payer at a time: two that count at once would both find room for the last one.
          for (const payerId of capped.map((route) => route.payerId).toSorted()) {
            await sql`select pg_advisory_xact_lock(${CAP_LOCK}, hashtext(${payerId}))`.execute(trx);
          }
          return statement.execute(trx);
        });
  return {
    candidateCount: rows[0]?.candidate_count ?? 0,
    leased: rows.filter((row): row is LeasedRow & { candidate_count: number } => row.id !== null),
  };
}

/** Any number unlikely to be another lock's. */
const CAP_LOCK = 7_164_306;

async function openClaimed(store: Store, rows: readonly LeasedRow[]): Promise<ClaimedWork[]> {
  const tried = rows.filter((row) => row.verification_attempt_count > 1).map((row) => row.id);
  const history = await readAttempts(store, tried);
  const opened = await Promise.all(rows.map((row) => openOrNull(store, row, history.get(row.id) ?? [])));
  return opened.filter((work) => work !== null);
}

/** Null for a row whose sealed values do not open: it stays leased, its leases lapse and count, the others flow. */
async function openOrNull(
  { vault }: Store,
  row: LeasedRow,
  attempts: readonly AttemptView[],
): Promise<ClaimedWork | null> {
  try {
    return {
      requestId: row.id,
      payerId: row.payer_id,
      accountId: row.account_id,
      channel: row.lease_channel,
      leaseToken: row.lease_token,
      leaseUntil: row.lease_until,
      attemptNumber: row.verification_attempt_count,
      request: await openRequestModel(vault, row),
      history: attempts.filter(({ number }) => number < row.verification_attempt_count),
    };
  } catch (err) {
    if (err instanceof SealBrokenError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}

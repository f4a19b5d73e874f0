import type { VerificationSource } from '@insurance-verification/schema';
import {
  type ClaimedWork,
  claimWork,
  failWork,
  releaseWork,
  type Route,
  type Store,
  submitWork,
  type WorkSubmission,
} from '../../src/index.ts';
import type { WorkClaim } from '../../src/verification/work/claim-work.ts';
import { anEntry } from './an-entry.ts';
import type { TestStores } from './open-test-stores.ts';
import { aPlatformCaller, PAYER_ID } from './stages.ts';

export const LEASE_SECONDS = 60;

/** A route over these channels, cheapest first. */
export function aRoute(channels: readonly VerificationSource[], route: Partial<Route> = {}): Route {
  return {
    payerId: PAYER_ID,
    phoneHours: null,
    channels: channels.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3600 })),
    skipsUnattended: false,
    holdsAgentResults: false,
    inFlightCountMax: null,
    ...route,
  };
}

export const ROUTE = aRoute(['agent_web_portal', 'manual_phone_call']);

export const aVerifier = aPlatformCaller;

/** Claims, by default from the portal's queue. */
export async function claim(store: Store, options: Partial<WorkClaim> = {}): Promise<readonly ClaimedWork[]> {
  const { works } = await claimWork(store, {
    caller: aVerifier(),
    routes: [ROUTE],
    channels: ['agent_web_portal'],
    limit: 1,
    leaseSeconds: LEASE_SECONDS,
    ...options,
  });
  return works;
}

/** Claims the one waiting request. */
export async function claimOne(store: Store, options: Partial<WorkClaim> = {}): Promise<ClaimedWork> {
  const [work] = await claim(store, options);
  if (!work) throw new Error('There is no work.');
  return work;
}

/** Submits one coverage, by default of the leased channel. */
export function submitFound(store: Store, work: ClaimedWork, submission: Partial<WorkSubmission> = {}) {
  return submitWork(store, {
    caller: aVerifier(),
    requestId: work.requestId,
    leaseToken: work.leaseToken,
    insuranceData: [anEntry({ verification_source: work.channel })],
    evidence: {},
    routes: [ROUTE],
    ...submission,
  });
}

export function fail(store: Store, work: ClaimedWork, failure: Partial<Parameters<typeof failWork>[1]> = {}) {
  return failWork(store, {
    caller: aVerifier(),
    routes: [ROUTE],
    requestId: work.requestId,
    leaseToken: work.leaseToken,
    errorReason: 'member_not_found',
    evidence: {},
    final: false,
    ...failure,
  });
}

export function release(store: Store, work: ClaimedWork, reason?: string) {
  const { requestId, leaseToken } = work;
  return releaseWork(store, { caller: aVerifier(), requestId, leaseToken, reason });
}

/** Direct changes to the work queue: what time would do, done at once. */
export function workQueue({ sql }: TestStores) {
  return {
    /** Postpones everything that waits, so that a test sees only its own requests. */
    empty: () =>
      sql(`with closed as (update verification_attempt set ended_at = now(), outcome = 'released' where ended_at is null)
        update work_queue set waits_since = now() + interval '1 day', postponed = true, lease = null, leased_at = null,
          leased_until = null, channel_until = null, call_back_at = null, call_back_by = null,
          call_back_is_own = false`),
    /** Lets a lease lapse this many seconds ago. */
    lapse: (requestId: string, secondsAgo = 1) =>
      sql('update work_queue set leased_until = now() - make_interval(secs => $2) where request_id = $1', [
        requestId,
        secondsAgo,
      ]),
    /** Sets how long a request has waited. */
    dueSince: (requestId: string, seconds: number) =>
      sql('update work_queue set waits_since = now() - make_interval(secs => $2) where request_id = $1', [
        requestId,
        seconds,
      ]),
    /** Ends a request's time in its channel. */
    endTime: (requestId: string) =>
      sql(`update work_queue set channel_until = now() - interval '1 second' where request_id = $1`, [
        requestId,
      ]),
    /** A request with its place in the queue, and without a lease where it has none. */
    row: async (requestId: string) => {
      const [row] = await sql<{ text: string }>(
        `select (jsonb_build_object('lease', null, 'leased_until', null) || to_jsonb(request)
           || coalesce(to_jsonb(queued), '{}'))::text as text
         from request left join work_queue queued on request_id = id where id = $1`,
        [requestId],
      );
      return JSON.parse(row?.text ?? 'null') as Record<string, unknown>;
    },
    /** `number channel outcome reason` of every attempt at a request. */
    attempts: async (requestId: string) => {
      const rows = await sql<{ line: string }>(
        `select concat_ws(' ', number, channel, outcome, error_reason) as line from verification_attempt
         where request_id = $1 order by number`,
        [requestId],
      );
      return rows.map(({ line }) => line);
    },
  };
}

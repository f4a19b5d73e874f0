import { ERROR_REASONS, ErrorReason, type VerificationSource } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import {
  channelOf,
  downtimeAt,
  isAsked,
  type Keeping,
  keepingOf,
  type QueueName,
  type Route,
  type RouteChannel,
  secondsAhead,
  secondsBack,
} from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { ATTENDED_SECONDS } from '../work/choose-work.ts';

/** The plan for an overdue request. */
export interface OverduePlan {
  readonly requestId: string;
  /** Its open attempt ends because the lease lapsed. */
  readonly hasLapsed: boolean;
  /** The untried channel to record as timed out; null when an attempt exists. */
  readonly timedOutIn: VerificationSource | null;
  /** The payer did not answer, and that is why its time in the channel is over; null: for another reason. */
  readonly outage: PlannedOutage | null;
  readonly next:
    | { readonly kind: 'put_back' }
    /**
     * It stays in its channel, the last of the route, until so many seconds after its entry; null: as long as the route
     * says.
     */
    | { readonly kind: 'keep'; readonly seconds: number | null }
    | AfterFailure;
}

/** What the attempt of a request says whose payer did not answer. */
interface PlannedOutage {
  readonly accountId: string;
  /** Of the attempt to write. */
  readonly attemptNumber: number;
  /** For colleagues. */
  readonly note: string;
}

interface Overdue {
  readonly id: string;
  readonly account_id: string;
  /** Of its latest attempt; 0 without any. */
  readonly attempt_number: number;
  readonly payer_id: string;
  readonly queue: QueueName;
  readonly attempt_count: number;
  readonly has_lapsed: boolean;
  /** Whether the time set for the channel is over, which may have been cut short; null without one, as in `entry`. */
  readonly time_is_up: boolean | null;
  /** Since it entered the channel. */
  readonly channel_seconds: number;
  readonly is_needed_by: boolean;
  readonly earlier_reason: string | null;
  /** An agent submitted a result in the channel, and it was dismissed or not reviewed in time. */
  readonly was_held: boolean;
  /**
   * Channels of its payer that were attended while it was there. Recorded only for routes that skip unattended
   * channels.
   */
  readonly attended: readonly string[];
  /** Since when its payer's API has not answered; null while it does. */
  readonly down_since: Date | null;
  /** Exchanges with its payer in a row without an answer. */
  readonly failure_count: number | null;
}

/** Locks the requests that no other transaction has locked, and plans for the overdue ones, by the database's clock. */
export async function planOverdue(
  trx: Transaction<Tables>,
  routes: readonly Route[],
  requestIds: readonly string[],
): Promise<OverduePlan[]> {
  const { rows } = await sql<Overdue>`
    select id, locked.account_id, locked.payer_id, locked.channel as queue, outage.since as down_since, outage.failure_count, attempt_count, has_lapsed, time_is_up,
      extract(epoch from now() - waited_since)::float8 as channel_seconds, needed_by is not null as is_needed_by,
      coalesce((select max(number) from verification_attempt where request_id = locked.id), 0) as attempt_number,
      (select error_reason from verification_attempt
        where request_id = locked.id and error_reason is not null order by number desc limit 1) as earlier_reason,
      exists (select from verification_attempt as attempt
        where attempt.request_id = locked.id and attempt.channel = locked.channel and attempt.outcome = 'held') as was_held,
      array(select attendance.channel from channel_attendance as attendance
        where attendance.payer_id = locked.payer_id
          and attendance.claimed_at + make_interval(secs => ${ATTENDED_SECONDS}) > locked.waited_since) as attended
    from (
      select request.id, queued.*, lease is not null as has_lapsed, channel_until <= now() as time_is_up,
        case when queued.channel = 'entry' then waits_since else channel_entered_at end as waited_since
      from request join work_queue queued on request_id = id
      where id = any (${requestIds}::text[]) and request_id = any (${requestIds}::text[])
      for no key update skip locked
    ) as locked left join payer_outage as outage on outage.payer_id = locked.payer_id and outage.ended_at is null
    where leased_until is null or leased_until <= clock_timestamp()
      or leased_at > clock_timestamp() + interval '5 seconds'`.execute(trx);
  return rows.map((row) => planOf(routes, row)).filter((plan) => plan !== null);
}

/** Null when it is no longer overdue. */
function planOf(routes: readonly Route[], request: Overdue): OverduePlan | null {
  const { id: requestId, has_lapsed: hasLapsed } = request;
  const route = routes.find(({ payerId }) => payerId === request.payer_id);
  const over = route && overOf(route, request);
  const stays = (next: OverduePlan['next']) => ({
    requestId,
    hasLapsed,
    timedOutIn: null,
    outage: null,
    next,
  });
  if (!route || !over) return hasLapsed ? stays({ kind: 'put_back' }) : null;
  const outage = over === 'unanswered' ? outageOf(route, request) : null;
  const next = planAfterFailure(route, {
    queue: request.queue,
    errorReason: over === 'unanswered' ? 'payer_unavailable' : null,
    final: false,
    earlierReason: toErrorReason(request.earlier_reason),
  });
  const channel = channelOf(route, request.queue);
  const { source } = channel;
  const enteredAt = new Date(Date.now() - 1_000 * request.channel_seconds);
  if (over === 'early' && next.kind === 'error_verifying')
    return stays({
      kind: 'keep',
      seconds: request.queue === 'entry' ? null : secondsAhead(route, channel, enteredAt),
    });
  // The payer answers: its turn comes.
  if (over === 'waited' && next.kind === 'error_verifying')
    return stays({ kind: 'keep', seconds: request.channel_seconds + WAITED_SECONDS });
  // An attempt shows why it ended. An untried channel gets a record too, unless it is unattended: a time-out would
  // suggest to the provider an attempt that was impossible.
  const isPassedOver =
    next.kind === 'next_channel' &&
    route.skipsUnattended &&
    outage === null &&
    !request.attended.includes(source);
  const isRecorded = hasLapsed || isPassedOver || request.was_held;
  return { requestId, hasLapsed, timedOutIn: isRecorded ? null : source, outage, next };
}

/** Seconds between two looks at a request that waits for its turn in the last channel of its route. */
const WAITED_SECONDS = 3_600;

/**
 * Whether its channel has used up its attempts or its time. `early`: the time that leaves a slower channel some
 * before the result is needed. `unanswered`: the time to wait for a payer that does not answer; `waited`: that time passed
 * while it does. Dismissing an agent's result ends the channel's time.
 */
function overOf(route: Route, request: Overdue): 'over' | 'early' | 'unanswered' | 'waited' | null {
  const channel = channelOf(route, request.queue);
  if (request.attempt_count >= channel.attemptCountMax) return 'over';
  if (isAsked(channel)) {
    if (request.time_is_up === true) return isUnanswered(route, request) ? 'unanswered' : 'waited';
    // Where the search found it, it has waited for as long as the payer answered.
    const isDue = request.queue === 'entry' && request.channel_seconds >= channel.secondsMax;
    return isDue && !isUnanswered(route, request) ? 'waited' : null;
  }
  const wasLongEnough = request.channel_seconds >= secondsBack(route, channel);
  if (request.time_is_up !== true) return request.queue === 'entry' && wasLongEnough ? 'over' : null;
  return request.is_needed_by && !request.was_held && !wasLongEnough ? 'early' : 'over';
}

function isUnanswered(route: Route, { down_since: downSince }: Overdue): boolean {
  return downSince !== null || downtimeAt(route, new Date()) !== undefined;
}

function outageOf(route: Route, request: Overdue): PlannedOutage {
  const { account_id: accountId, down_since: since, failure_count: count } = request;
  const planned = downtimeAt(route, new Date());
  const note = planned
    ? `The payer announced that it does not answer until ${planned.until.toISOString()}.`
    : `The payer has not answered since ${since?.toISOString()}; it was asked ${count} times.`;
  return { accountId, attemptNumber: request.attempt_number + 1, note };
}

/** A failure of a channel to verify. */
interface ChannelFailure {
  readonly queue: QueueName;
  /** The reason; null when none was given: its leases lapsed, or its time is over. */
  readonly errorReason: ErrorReason | null;
  /** The verifier states that no other channel can succeed either. */
  readonly final: boolean;
  /** The latest reason of an earlier attempt; null when none gave one. */
  readonly earlierReason: ErrorReason | null;
}

export type AfterFailure =
  | {
      readonly kind: 'next_channel';
      readonly source: VerificationSource;
      /** Its time there, from now on. */
      readonly seconds: number;
      /** Where this service asks the payer there: how long it waits for one that does not answer; else null. */
      readonly keeping: Keeping | null;
    }
  | { readonly kind: 'error_verifying'; readonly errorReason: ErrorReason };

/**
 * Decides the next step when a channel fails; the first matching row applies:
 *
 * | # | case                                              | next step                                          |
 * |---|---------------------------------------------------|----------------------------------------------------|
 * | 1 | the verifier marks it as final                    | error_verifying with its reason                    |
 * | 2 | a reason for which no other channel may help      | error_verifying with it                            |
 * | 3 | the route has a channel after this one            | that channel; the reason stays with the attempt    |
 * | 4 | the last channel, with a reason                   | error_verifying with it                            |
 * | 5 | the last channel, without a reason                | error_verifying with the latest earlier reason     |
 * | 6 | no attempt gave a reason                          | error_verifying with `attempts_exhausted`          |
 *
 * A payer removed from the configuration has no route: its requests end in their current channel.
 */
export function planAfterFailure(route: Route | undefined, failure: ChannelFailure): AfterFailure {
  const { errorReason, final } = failure;
  const isHopeless = errorReason !== null && !ERROR_REASONS[errorReason].nextChannelMayHelp;
  const next = route && nextChannel(route, failure.queue);
  if (next && !final && !isHopeless)
    return {
      kind: 'next_channel',
      source: next.source,
      seconds: secondsAhead(route, next),
      keeping: keepingOf(route, next),
    };
  return {
    kind: 'error_verifying',
    errorReason: errorReason ?? failure.earlierReason ?? 'attempts_exhausted',
  };
}

function nextChannel(route: Route, queue: QueueName): RouteChannel | undefined {
  return route.channels[route.channels.indexOf(channelOf(route, queue)) + 1];
}

/** The slug of a stored reason; null for no reason and for a verifier's free text. */
function toErrorReason(text: string | null): ErrorReason | null {
  const parsed = ErrorReason.safeParse(text);
  return parsed.success ? parsed.data : null;
}

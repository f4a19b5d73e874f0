import { ERROR_REASONS, ErrorReason, type VerificationSource } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import {
  channelOf,
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
  readonly next:
    | { readonly kind: 'put_back' }
    /** Its time was cut short, but the route has no channel after this one: it gets the whole time, from its entry on. */
    | { readonly kind: 'keep'; readonly seconds: number }
    | AfterFailure;
}

interface Overdue {
  readonly id: string;
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
}

/** Locks the requests that no other transaction has locked, and plans for the overdue ones, by the database's clock. */
export async function planOverdue(
  trx: Transaction<Tables>,
  routes: readonly Route[],
  requestIds: readonly string[],
): Promise<OverduePlan[]> {
  const { rows } = await sql<Overdue>`
    select id, payer_id, locked.channel as queue, attempt_count, has_lapsed, time_is_up,
      extract(epoch from now() - since)::float8 as channel_seconds, needed_by is not null as is_needed_by,
      (select error_reason from verification_attempt
        where request_id = locked.id and error_reason is not null order by number desc limit 1) as earlier_reason,
      exists (select from verification_attempt as attempt
        where attempt.request_id = locked.id and attempt.channel = locked.channel and attempt.outcome = 'held') as was_held,
      array(select attendance.channel from channel_attendance as attendance
        where attendance.payer_id = locked.payer_id
          and attendance.claimed_at + make_interval(secs => ${ATTENDED_SECONDS}) > locked.since) as attended
    from (
      select request.id, queued.*, lease is not null as has_lapsed, channel_until <= now() as time_is_up,
        case when queued.channel = 'entry' then waits_since else channel_entered_at end as since
      from request join work_queue queued on request_id = id
      where id = any (${requestIds}::text[]) and request_id = any (${requestIds}::text[])
      for no key update skip locked
    ) as locked
    where leased_until is null or leased_until <= clock_timestamp()
      or leased_at > clock_timestamp() + interval '5 seconds'`.execute(trx);
  return rows.map((row) => planOf(routes, row)).filter((plan) => plan !== null);
}

/** Null when it is no longer overdue. */
function planOf(routes: readonly Route[], request: Overdue): OverduePlan | null {
  const { id: requestId, has_lapsed: hasLapsed } = request;
  const route = routes.find(({ payerId }) => payerId === request.payer_id);
  const over = route && overOf(route, request);
  if (!route || !over)
    return hasLapsed ? { requestId, hasLapsed, timedOutIn: null, next: { kind: 'put_back' } } : null;
  const next = planAfterFailure(route, {
    queue: request.queue,
    errorReason: null,
    final: false,
    earlierReason: toErrorReason(request.earlier_reason),
  });
  const channel = channelOf(route, request.queue);
  const { source } = channel;
  const enteredAt = new Date(Date.now() - 1_000 * request.channel_seconds);
  if (over === 'early' && next.kind === 'error_verifying')
    return {
      requestId,
      hasLapsed,
      timedOutIn: null,
      next: { kind: 'keep', seconds: secondsAhead(route, channel, enteredAt) },
    };
  // An attempt shows why it ended. An untried channel gets a record too, unless it is unattended: a time-out would
  // suggest to the provider an attempt that was impossible.
  const isPassedOver =
    next.kind === 'next_channel' && route.skipsUnattended && !request.attended.includes(source);
  const isRecorded = hasLapsed || isPassedOver || request.was_held;
  return { requestId, hasLapsed, timedOutIn: isRecorded ? null : source, next };
}

/**
 * Whether its channel has used up its attempts or its time. `early`: the time that leaves a slower channel some
 * before the result is needed. Dismissing an agent's result ends the channel's time.
 */
function overOf(route: Route, request: Overdue): 'over' | 'early' | null {
  const channel = channelOf(route, request.queue);
  const wasLongEnough = request.channel_seconds >= secondsBack(route, channel);
  if (request.attempt_count >= channel.attemptCountMax) return 'over';
  if (request.time_is_up !== true) return request.queue === 'entry' && wasLongEnough ? 'over' : null;
  return request.is_needed_by && !request.was_held && !wasLongEnough ? 'early' : 'over';
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

type AfterFailure =
  | {
      readonly kind: 'next_channel';
      readonly source: VerificationSource;
      /** Its time there, from now on. */
      readonly seconds: number;
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
    return { kind: 'next_channel', source: next.source, seconds: secondsAhead(route, next) };
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

import { ERROR_REASONS, ErrorReason } from '@insurance-verification/schema';
import { channelOf, type QueueName, type Route, type RouteChannel } from '../../tables/route.ts';

/** A failure of a channel to verify. */
export interface ChannelFailure {
  readonly queue: QueueName;
  /** The reason; null when none was given: its leases lapsed, or its time is over. */
  readonly errorReason: ErrorReason | null;
  /** The verifier states that no other channel can succeed either. */
  readonly final: boolean;
  /** The latest reason of an earlier attempt; null when none gave one. */
  readonly earlierReason: ErrorReason | null;
}

export type AfterFailure =
  | { readonly kind: 'next_channel'; readonly channel: RouteChannel }
  | { readonly kind: 'error_verifying'; readonly errorReason: ErrorReason };

/**
 * Decides what follows when a channel fails; the first matching row applies:
 *
 * | # | case                                              | what follows                                       |
 * |---|---------------------------------------------------|----------------------------------------------------|
 * | 1 | the verifier says it is final                     | error_verifying with its reason                    |
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
  if (next && !final && !isHopeless) return { kind: 'next_channel', channel: next };
  return {
    kind: 'error_verifying',
    errorReason: errorReason ?? failure.earlierReason ?? 'attempts_exhausted',
  };
}

function nextChannel(route: Route, queue: QueueName): RouteChannel | undefined {
  return route.channels[route.channels.indexOf(channelOf(route, queue)) + 1];
}

/** The slug of a stored reason; null for no reason and for a verifier's free text. */
export function toErrorReason(text: string | null): ErrorReason | null {
  const parsed = ErrorReason.safeParse(text);
  return parsed.success ? parsed.data : null;
}

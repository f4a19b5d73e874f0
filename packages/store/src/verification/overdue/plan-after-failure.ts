import { ERROR_REASONS, ErrorReason } from '@insurance-verification/schema';
import { channelOf, type QueueName, type Route, type RouteChannel } from '../route.ts';

/** A channel that could not find out. */
export interface ChannelFailure {
  readonly queue: QueueName;
  /** Why; null when nobody said: its leases lapsed, or its time is over. */
  readonly errorReason: ErrorReason | null;
  /** The verifier says that no other channel can find out either. */
  readonly final: boolean;
  /** The latest reason that an earlier attempt gave; null when none did. */
  readonly earlierReason: ErrorReason | null;
}

export type AfterFailure =
  | { readonly kind: 'next_channel'; readonly channel: RouteChannel }
  | { readonly kind: 'error_verifying'; readonly errorReason: ErrorReason };

/**
 * What follows when a channel could not find out, first row that matches:
 *
 * | # | case                                              | what follows                                       |
 * |---|---------------------------------------------------|----------------------------------------------------|
 * | 1 | the verifier says it is final                     | error_verifying with its reason                    |
 * | 2 | a reason for which no other channel may help      | error_verifying with it                            |
 * | 3 | the route has a channel after this one            | that channel; the reason stays with the attempt    |
 * | 4 | the last channel, with a reason                   | error_verifying with it                            |
 * | 5 | the last channel, nobody said why                 | error_verifying with the latest reason before it   |
 * | 6 | nobody ever said why                              | error_verifying with `attempts_exhausted`          |
 *
 * A payer that the configuration has dropped has no route: its requests end where they stand.
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

/** The slug of a stored reason; null for none and for a verifier's free text. */
export function toErrorReason(text: string | null): ErrorReason | null {
  const parsed = ErrorReason.safeParse(text);
  return parsed.success ? parsed.data : null;
}

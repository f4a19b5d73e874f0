import type { VerificationSource } from '@insurance-verification/schema';

/** One channel of a payer's route, with its bounds. */
export interface RouteChannel {
  readonly source: VerificationSource;
  /** Attempts that end without an answer before the request is handed on. Released ones are not counted. */
  readonly attemptCountMax: number;
  /** How long a request may stay in the channel before it is handed on. */
  readonly secondsMax: number;
}

/** How requests for one payer find out: its channels, in the order in which they are tried. */
export interface Route {
  readonly payerId: string;
  /** At least one; none twice. */
  readonly channels: readonly RouteChannel[];
  /** A verifier of a later channel may take a request whose channels before it nobody works. */
  readonly skipsUnattended: boolean;
  /** Leases held at once, over all channels; null without a bound. */
  readonly inFlightCountMax: number | null;
}

/** Where a request stands: `entry` is the first channel of its route, whichever that is when it is claimed. */
export type QueueName = 'entry' | VerificationSource;

/** The channel that a request in this queue is worked on in. A channel the route has dropped counts as the first. */
export function channelOf(route: Route, queue: QueueName): RouteChannel {
  const [first] = route.channels;
  if (!first) throw new Error(`The route of payer ${route.payerId} has no channel.`);
  return route.channels.find(({ source }) => source === queue) ?? first;
}

import type { VerificationSource } from '@insurance-verification/schema';

/** One channel of a payer's route, with its bounds. */
export interface RouteChannel {
  readonly source: VerificationSource;
  /** Unanswered attempts before the request moves to the next channel. Released ones do not count. */
  readonly attemptCountMax: number;
  /** How long a request may stay in the channel before it moves to the next one. */
  readonly secondsMax: number;
}

/** The channels that verify a payer's requests, in the order they are tried. */
export interface Route {
  readonly payerId: string;
  /** At least one; no duplicates. */
  readonly channels: readonly RouteChannel[];
  /** A verifier of a later channel may take a request if nobody works the channels before it. */
  readonly skipsUnattended: boolean;
  /** Maximum concurrent leases over all channels; null means unlimited. */
  readonly inFlightCountMax: number | null;
  /** What an agent found becomes a result only when a person has looked at it. */
  readonly holdsAgentResults: boolean;
}

/**
 * The disjoint pools of requests: of live accounts; of test accounts, those that the sandbox has not checked or answers
 * later; of test accounts, those it passed on to verifiers.
 */
export type Pool = 'live' | 'sandbox' | 'test';

/** A request's position: `entry` is the first channel of its route, determined when it is claimed. */
export type QueueName = 'entry' | VerificationSource;

/** The channel in which this queue's requests are worked. A channel removed from the route counts as the first. */
export function channelOf(route: Route, queue: QueueName): RouteChannel {
  const [first] = route.channels;
  if (!first) throw new Error(`The route of payer ${route.payerId} has no channel.`);
  return route.channels.find(({ source }) => source === queue) ?? first;
}

/** Whether an AI agent works in the channel. */
export const isAgentChannel = (queue: QueueName): boolean =>
  queue === 'agent_web_portal' || queue === 'agent_phone_call';

import type { DeliveryFact, Outcome, VerificationSource } from '@insurance-verification/schema';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Instant } from './columns.ts';

export interface IntakeTables {
  request: RequestTable;
  idempotency_key: IdempotencyKeyTable;
}

interface RequestTable {
  id: string;
  account_id: string;
  payer_id: string;
  payer_name: string;
  /** `RequestInfo` as received. */
  input: Buffer;
  received_at: Generated<Date>;
  /** True for requests of `test` accounts: no live verifier and no payer ever sees them. */
  sandbox: Generated<boolean>;
  /** What an exact member id is looked up by (see `memberIndex`); 0: none. */
  member_index: string;
  /** What the NPI of its provider is looked up by (see `npiIndex`); 0: none. */
  npi_index: Generated<string>;
  /** The day to ask about, `YYYY-MM-DD`; null for the day of asking. Encrypted: a patient's visit. */
  service_date: Buffer | null;
  /** The patient's gender for inquiries, `F`, `M` or `U`, encrypted; null where it is not given. */
  gender: Buffer | null;
  /** When its account needs the first result; null when it did not say. */
  needed_by: Instant | null;
  /** The version of the current result; 0 before the first. */
  version: Generated<number>;
  outcome: Generated<Outcome>;
  outcome_reason: Buffer | null;
  /** The channel in which it ended; null before, when its row in `work_queue` has it. */
  channel: QueueName | null;
  delivery: Generated<DeliveryFact>;
  delivery_reason: string | null;
  /** `delivery` is `exhausted`. */
  undelivered: GeneratedAlways<boolean>;
  /** The latest output with status `pending`. */
  progress: Buffer | null;
  progress_at: Instant | null;
  /** Numbers its events. */
  event_count: Generated<number>;
  /** When its event `request.overdue` was written. */
  overdue_at: Instant | null;
  /** When its data was erased: every encrypted value of it, here and elsewhere. */
  erased_at: Instant | null;
  /** The slug of its error once the encrypted reason is gone; null for free text. */
  erased_reason: string | null;
}

interface IdempotencyKeyTable {
  account_id: string;
  key: Buffer;
  body_digest: Buffer;
  request_id: string;
  created_at: Generated<Date>;
}

/** One channel of a payer's route, with its bounds. */
export interface RouteChannel {
  readonly source: VerificationSource;
  /** Unanswered attempts before the request moves to the next channel. Released ones do not count. */
  readonly attemptCountMax: number;
  /**
   * How long a request may stay in the channel before it moves to the next one. Where this service asks the payer: how long
   * it may wait there untried while the payer answers.
   */
  readonly secondsMax: number;
  /**
   * Present where this service itself asks the payer over X12: how long a request waits there for a payer that does not
   * answer; null: by the time that it is needed (see `keep_until`).
   */
  readonly keepTryingSeconds?: number | null;
}

/** A span of time. */
export interface TimeSpan {
  readonly from: Date;
  readonly until: Date;
}

/** When a payer answers its phone, by the clock of its zone. */
export interface OpenHours {
  /** The zone, such as `America/Chicago`. */
  readonly timeZone: string;
  /** When it opened; null while it is closed. */
  readonly openedAt: (at: Date) => Date | null;
  /** When it opens next; null while it is open. */
  readonly opensAt: (at: Date) => Date | null;
  /** The times in a span in which it is open, in order; each whole, also where the span cuts it. */
  readonly openTimes: (from: Date, until: Date) => readonly TimeSpan[];
  /** How many seconds of a span it is open. */
  readonly openSeconds: (from: Date, until: Date) => number;
  /** How many seconds pass from `at` on until it was open for so many. */
  readonly secondsAhead: (at: Date, openSeconds: number) => number;
  /** How many seconds have passed up to `at` since it was open for so many. */
  readonly secondsBack: (at: Date, openSeconds: number) => number;
}

/** The channels that verify a payer's requests, in the order they are tried. */
export interface Route {
  readonly payerId: string;
  /** When its phone is answered: outside of these hours its phone channels rest. Null: always. */
  readonly phoneHours: OpenHours | null;
  /** At least one; no duplicates. */
  readonly channels: readonly RouteChannel[];
  /** A verifier of a later channel may take a request if the channels before it have no verifier. */
  readonly skipsUnattended: boolean;
  /** Maximum concurrent leases over all channels; null means unlimited. */
  readonly inFlightCountMax: number | null;
  /** Maximum concurrent inquiries over X12; absent without a connection. */
  readonly inquiryCountMax?: number;
  /** What an agent found becomes a result only when a person has looked at it. */
  readonly holdsAgentResults: boolean;
  /** When the payer has said that its API will not answer; absent: never. */
  readonly apiDowntimes?: readonly TimeSpan[];
}

/** The planned downtime of a payer's API that covers a time; undefined without one. */
export const downtimeAt = (route: Route, at: Date): TimeSpan | undefined =>
  route.apiDowntimes?.find(({ from, until }) => from <= at && at < until);

/** How long a request waits in a channel for a payer that does not answer, as the function `keep_until` takes it. */
export interface Keeping {
  readonly seconds: bigint;
  readonly isLast: boolean;
}

/** Of a route's channel, the first by default; null where this service does not ask the payer. */
export function keepingOf(
  route: Route,
  channel: RouteChannel | undefined = route.channels[0],
): Keeping | null {
  const seconds = channel?.keepTryingSeconds;
  if (seconds === undefined) return null;
  return { seconds: BigInt(Math.ceil(seconds ?? 0)), isLast: channel === route.channels.at(-1) };
}

/** Whether this service itself asks the payer in a channel. */
export const isAsked = ({ keepTryingSeconds }: RouteChannel): boolean => keepTryingSeconds !== undefined;

/**
 * The disjoint pools of requests: of live accounts; of test accounts, those that the sandbox has not checked or answers
 * later; of test accounts, those it passed on to verifiers; and those of canceled batches, which are never claimed.
 */
export type Pool = 'live' | 'sandbox' | 'test' | 'canceled';

/** A request's position: `entry` is the first channel of its route, determined when it is claimed. */
export type QueueName = 'entry' | VerificationSource;

/** The channel in which this queue's requests are worked. A channel removed from the route counts as the first. */
export function channelOf(route: Route, queue: QueueName): RouteChannel {
  const [first] = route.channels;
  if (!first) throw new Error(`The route of payer ${route.payerId} has no channel.`);
  return route.channels.find(({ source }) => source === queue) ?? first;
}

export const isPhone = (queue: QueueName): boolean =>
  queue === 'manual_phone_call' || queue === 'agent_phone_call';

/** The hours that a channel rests outside of; null for one that never rests. */
export const hoursOf = (route: Route, channel: VerificationSource): OpenHours | null =>
  isPhone(channel) ? route.phoneHours : null;

/** A channel's whole time, as seconds from `at` on: those in which it rests come on top. */
export const secondsAhead = (route: Route, { source, secondsMax }: RouteChannel, at = new Date()): number =>
  hoursOf(route, source)?.secondsAhead(at, secondsMax) ?? secondsMax;

/** A channel's whole time, as seconds up to now. */
export const secondsBack = (route: Route, { source, secondsMax }: RouteChannel): number =>
  hoursOf(route, source)?.secondsBack(new Date(), secondsMax) ?? secondsMax;

/** Whether an AI agent works in the channel. */
export const isAgentChannel = (queue: QueueName): boolean =>
  queue === 'agent_web_portal' || queue === 'agent_phone_call';

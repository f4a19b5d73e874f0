import type { SealKey, Store } from '@insurance-verification/store';
import type { UrlRefusal } from '@insurance-verification/webhook';
import type { Config } from '../../../config/config.ts';
import type { Networks } from '../../../network/networks.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Metrics } from '../../../telemetry/metrics.ts';
import type { Tracing } from '../../../telemetry/tracing.ts';
import type { Authenticator } from './authenticator.ts';
import type { BodyRoom } from './body-room.ts';
import type { EventStreams } from './event-streams.ts';
import type { Hints } from './hints.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import type { Limiter } from './limiter.ts';
import type { RequestInserter } from './request-inserter.ts';
import type { ResultWriter } from './result-writer.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What every call in one process shares. */
export interface App {
  readonly store: Store;
  readonly config: Config;
  /** What the audit is sealed with; undefined where it is not. */
  readonly sealKey: SealKey | undefined;
  /** Names this service to those who read its address from a file; see `announceAddress`. */
  readonly instance: string;
  /** `http://host:port` of this process; undefined until it listens. */
  readonly ownAddress: () => string | undefined;
  readonly authenticator: Authenticator;
  /** Counts calls, and refuses those beyond a limit. */
  readonly limiter: Limiter;
  /** The memory budget for bodies under way. */
  readonly bodyRoom: BodyRoom;
  /** The proxies trusted to report a client's address. */
  readonly trustedProxies: Networks;
  /** Why a callback address can never be called, as far as is known without a look-up; null if no reason is known. */
  readonly checkCallback: (url: string) => UrlRefusal | null;
  readonly insertRequest: RequestInserter;
  readonly results: ResultWriter;
  readonly idempotencyGate: IdempotencyGate;
  /** Wakes this process's delivery worker, if any. The statement that made the row due notifies the other processes. */
  readonly wakeDelivery: () => void;
  /** Where verifiers of this process wait for work. */
  readonly waitingRoom: WaitingRoom;
  /** Wakes this process's verifiers and notifies the other processes: a request may be waiting. */
  readonly wakeVerification: () => void;
  /** Tells the consoles of every process what changed. */
  readonly hints: Hints;
  /** The consoles that listen at this process. */
  readonly events: EventStreams;
  readonly metrics: Metrics;
  /** Undefined where no collector is configured. */
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

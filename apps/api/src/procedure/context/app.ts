import type { ServerResponse } from 'node:http';
import type { Schemas } from '@insurance-verification/schema';
import type { Change, OperationFact } from '@insurance-verification/schema/contract';
import type {
  Caller,
  InsertedRequest,
  LiveKey,
  LocalWorker,
  NewRequest,
  RefusedSignIn,
  SealKey,
  SessionStanding,
  Store,
} from '@insurance-verification/store';
import type { UrlRefusal } from '@insurance-verification/webhook';
import type { Config } from '../../config/config.ts';
import type { Networks } from '../../network/client-address.ts';
import type { BatchPace } from '../../queue/batch-pace.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SealingStatus } from '../../telemetry/sealing-status.ts';
import type { Shortage } from '../../telemetry/shortage.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { BodyMemory, Call } from './call.ts';

/** What every call in one process shares. */
export interface App {
  readonly store: Store;
  readonly config: Config;
  /** The models over the configured payers. */
  readonly schemas: Schemas;
  /** What the audit is sealed with; undefined where it is not. */
  readonly sealKey: SealKey | undefined;
  readonly sealing: SealingStatus;
  /** Puts a refused sign-in into the audit. */
  readonly recordRefusal: (refused: RefusedSignIn) => Promise<void>;
  /** Names this service to those who read its address from a file; see `announceAddress`. */
  readonly instance: string;
  /** `http://host:port` of this process; undefined until it listens. */
  readonly ownAddress: () => string | undefined;
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  /** Whether people can prove who they are at the moment: where an identity provider does it, it answers. */
  readonly canSignInAgain: () => Promise<boolean>;
  readonly bodyMemory: BodyMemory;
  /** The proxies trusted to report a client's address. */
  readonly trustedProxies: Networks;
  /** Why a callback address can never be called, as far as is known without a look-up; null if no reason is known. */
  readonly checkCallback: (url: string) => UrlRefusal | null;
  readonly insertRequest: RequestInserter;
  /** This process's delivery worker, which begins new deliveries that it has a slot for; undefined without the role. */
  readonly localWorker: LocalWorker | undefined;
  readonly idempotencyGate: IdempotencyGate;
  readonly batchPace: BatchPace;
  /** Wakes this process's delivery worker, if any. The statement that made the row due notifies the other processes. */
  readonly wakeDelivery: () => void;
  readonly longPolls: LongPolls;
  /** Wakes this process's verifiers and notifies the other processes: a request may be waiting. */
  readonly wakeVerification: () => void;
  readonly hints: Hints;
  readonly events: EventStreams;
  readonly shortage: Shortage;
  readonly metrics: Metrics;
  /** Undefined where no collector is configured. */
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/** Looks up keys by their text. */
export interface Authenticator {
  /** The live key; null for a missing, unknown, revoked or expired one. */
  authenticate(text: string | undefined): Promise<LiveKey | null>;
  /** Clears the cached answers, so that a revocation by this process applies at once. */
  forget(): void;
}

/** Counts calls by the policies that their procedures declare, and refuses those beyond a limit. */
export interface Limiter {
  /** Counts a call before its input is read. @throws {ProblemError} `rate_limited` */
  admit(operation: OperationFact, call: Call, caller: LiveKey | null): Promise<void>;
  /** Charges what the answer cost beyond the call's first unit. */
  settle(operation: OperationFact, caller: LiveKey | null, answer: unknown): void;
  /**
   * Takes units of the quota of intake for rows of a batch, up to nine tenths of it: the rest is for single creates.
   * @returns the units taken, and milliseconds until there may be more; 0 where all were taken.
   */
  takeRows(
    caller: LiveKey,
    rowCount: number,
  ): Promise<{ readonly takenCount: number; readonly waitMs: number }>;
  /**
   * Counts a file that is being sent with a key. @returns what ends it.
   * @throws {ProblemError} `rate_limited` with too many of the key in this process.
   */
  beginUpload(caller: LiveKey): () => void;
  /**
   * Counts a right link, or a known person, by itself: an office has one address. @throws {ProblemError} `rate_limited`
   */
  countSignIn(subject: string, call: Call): Promise<void>;
  /** Counts a refused try to sign in by the client's address. @throws {ProblemError} `rate_limited` */
  countRefusedSignIn(call: Call): Promise<void>;
  /** Counts a link that is made, by the client's address. @throws {ProblemError} `rate_limited` */
  countSignInLink(call: Call): Promise<void>;
  /** Counts a wrong key. @throws {ProblemError} `rate_limited` */
  countWrongKey(call: Call): Promise<void>;
}

/** Stores one request; rejects when it was not stored or the outcome is unknown. */
export type RequestInserter = (request: NewRequest) => Promise<InsertedRequest>;

/** Admits only the first call with an `Idempotency-Key`. */
export interface IdempotencyGate {
  /**
   * Runs `work` unless the first call with the same account and key is still running in this process. If it runs in
   * another process, the database waits for it and then replays its answer.
   * @throws {ProblemError} `idempotency_in_progress`
   */
  readonly pass: <T>(caller: Caller, key: string | null, work: () => Promise<T>) => Promise<T>;
}

/** The verifiers of one process that wait for work. */
export interface LongPolls {
  /**
   * Looks until something is found, the time is over, `signal` reports the client gone, or {@link close}. Callers that
   * look for the same thing (equal `key`) look one after the other, first come, first served.
   */
  waitFor<Item>(options: {
    readonly key: string;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly look: () => Promise<readonly Item[]>;
  }): Promise<readonly Item[]>;
  /** Signals possible work: some look now rather than at the next poll. */
  readonly wake: () => void;
  /** Ends all waiting, now and later. */
  readonly close: () => void;
}

/** What changes is published to the consoles of every process. */
export interface Hints {
  /** Costs a few map look-ups. @param accountId whose it is; absent where that would have to be looked up. */
  readonly publish: (change: Change, accountId?: string) => void;
}

/** The consoles that listen at one process. */
export interface EventStreams {
  /** Takes over a response. It ends with the session, at a drain, or when its reader goes. */
  readonly add: (res: ServerResponse, sessionId: string, standing: SessionStanding) => void;
}

/** What a transport passes to a call. Only two members, since tRPC copies the context at the start of a procedure. */
export interface Context {
  readonly app: App;
  readonly call: Call;
}

/** What the server puts on each Koa context before a route runs. */
export interface CallState {
  context: Context;
  /** The operation, for the log and the metrics. */
  operation: string;
}

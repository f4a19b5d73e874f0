import type { Authenticator } from './access/create-authenticator.ts';
import type { RequestInserter } from './intake/create-request-inserter.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What handlers share in one process. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly insertRequest: RequestInserter;
  readonly runningIdempotencyKeys: Set<string>;
  /** Tells this process's delivery worker, if it has one, that a row is due. Others hear it from the database. */
  readonly wakeDelivery: () => void;
  readonly metrics: Metrics;
  readonly log: Log;
}

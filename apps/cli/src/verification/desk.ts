import type { RestClient } from '@insurance-verification/client';
import type { VerificationSource } from '@insurance-verification/schema';
import type { Terminal } from '../terminal/terminal.ts';
import type { WatchedQueue } from './watch-queue.ts';

/** A verifier's workplace at a terminal. */
export interface Desk {
  readonly client: RestClient;
  readonly terminal: Terminal;
  /** The channels that the verifier works. */
  readonly channels: readonly VerificationSource[];
  readonly queue: WatchedQueue;
  /** Aborted when the command must end: its terminal closed, or it got a signal. */
  readonly stopped: AbortSignal;
}

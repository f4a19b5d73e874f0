import type { RestClient } from '@insurance-verification/client';
import type { VerificationSource } from '@insurance-verification/schema';
import type { Terminal } from '../terminal/terminal.ts';
import type { WatchedQueue } from './watch-queue.ts';

/** A verifier at a terminal. */
export interface Desk {
  readonly client: RestClient;
  readonly terminal: Terminal;
  /** The channels they work. */
  readonly channels: readonly VerificationSource[];
  readonly queue: WatchedQueue;
  /** Aborted when the command is to end: its terminal closed, or it was told to. */
  readonly stopped: AbortSignal;
}

import type { Caller } from '@insurance-verification/store';

/** Lets one call with an `Idempotency-Key` be the first. */
export interface IdempotencyGate {
  /**
   * Runs `work` unless the first call with the same account and key is still running in this process. A rival in
   * another process is waited for by the database instead, which then replays its answer.
   * @throws {ProblemError} `idempotency_in_progress`
   */
  readonly pass: <T>(caller: Caller, key: string | null, work: () => Promise<T>) => Promise<T>;
}

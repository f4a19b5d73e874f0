import type { Caller } from '@insurance-verification/store';

/** Admits the first call with an `Idempotency-Key` alone. */
export interface IdempotencyGate {
  /**
   * Runs `work` unless the first call with the same account and key is still running in this process. If it runs in
   * another process, the database waits for it and then replays its answer.
   * @throws {ProblemError} `idempotency_in_progress`
   */
  readonly pass: <T>(caller: Caller, key: string | null, work: () => Promise<T>) => Promise<T>;
}

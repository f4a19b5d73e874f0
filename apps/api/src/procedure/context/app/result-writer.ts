import type {
  AcceptedOutput,
  SubmittedOutput,
  SubmittedWork,
  WorkSubmission,
} from '@insurance-verification/store';

/**
 * Hands results to the store, those that arrive together in one statement. Each gets its own answer; by then its
 * delivery is under way, or this process's worker has been woken.
 */
export interface ResultWriter {
  /** @throws {HeldCapacityExceededError} when it would have to be held and there is no room. */
  readonly acceptOutput: (submitted: SubmittedOutput) => Promise<AcceptedOutput>;
  readonly submitWork: (submission: WorkSubmission) => Promise<SubmittedWork>;
}

import type {
  AcceptedOutput,
  SubmittedOutput,
  SubmittedWork,
  WorkSubmission,
} from '@insurance-verification/store';

/**
 * Hands results to the store, those that arrive together in one statement. Each is answered by itself; its delivery is
 * under way then, or this process's worker is woken.
 */
export interface ResultWriter {
  /** @throws {HeldCapacityExceededError} when it would have to be held and there is no room. */
  readonly acceptOutput: (submitted: SubmittedOutput) => Promise<AcceptedOutput>;
  readonly submitWork: (submission: WorkSubmission) => Promise<SubmittedWork>;
}

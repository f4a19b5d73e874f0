import type { EligibilityStatus, FailureReason } from '@insurance-verification/schema';
import type { CodeAnswers } from '../prompts/ask-codes.ts';

/** One coverage as answered so far. For every field, undefined is not asked yet and null is answered with nothing. */
export interface CoverageDraft {
  status?: EligibilityStatus | null;
  plan?: string | null;
  start?: string | null;
  end?: string | null;
  codes?: CodeAnswers;
  /** Whether the payer's records match the request's member id and date of birth. */
  isAsRequested?: boolean;
  subscriberId?: string;
  dob?: string | null;
  notes?: string | null;
}

/** A person's answers so far. They survive a refusal and a lost lease. */
export interface Draft {
  kind?: 'result' | 'fail' | 'release';
  readonly coverages: CoverageDraft[];
  errorReason?: FailureReason;
  isFinal?: boolean;
  reference?: string | null;
  note?: string | null;
  /** Why the request is released. */
  reason?: string | null;
}

/** A draft without answers. */
export function emptyDraft(): Draft {
  return { coverages: [{}] };
}

import type { EligibilityStatus, FailureReason } from '@insurance-verification/schema';
import type { CodeAnswers } from '../prompts/ask-codes.ts';

/** One coverage as far as it is answered. Of every field: undefined is not asked yet, null is answered with nothing. */
export interface CoverageDraft {
  status?: EligibilityStatus | null;
  plan?: string | null;
  start?: string | null;
  end?: string | null;
  codes?: CodeAnswers;
  /** Whether the payer holds the patient under the member id and date of birth of the request. */
  isAsRequested?: boolean;
  subscriberId?: string;
  dob?: string | null;
  notes?: string | null;
}

/** What a person has answered so far. It outlives a refusal and a lost lease. */
export interface Draft {
  kind?: 'result' | 'fail' | 'release';
  readonly coverages: CoverageDraft[];
  errorReason?: FailureReason;
  isFinal?: boolean;
  reference?: string | null;
  note?: string | null;
  /** Why it is given back. */
  reason?: string | null;
}

/** Nothing answered. */
export function emptyDraft(): Draft {
  return { coverages: [{}] };
}

import { ERROR_REASONS, ErrorReason, type VerificationAttempt } from '@insurance-verification/schema';

/** A stored reason with the API's explanation. All null for no reason, and for a slug removed from the registry. */
export function explainReason(
  stored: string | null,
): Pick<VerificationAttempt, 'error_reason' | 'fixed_by' | 'explanation'> {
  const { data: reason = null } = ErrorReason.safeParse(stored);
  const fact = reason && ERROR_REASONS[reason];
  return { error_reason: reason, fixed_by: fact?.fixedBy ?? null, explanation: fact?.sentence ?? null };
}

import { ERROR_REASONS, ErrorReason, type VerificationAttempt } from '@insurance-verification/schema';
import type { AttemptView } from '@insurance-verification/store';

/** An attempt as the wire shows it. The note and the verifier's key are for colleagues, not for the provider. */
export function toAttempt(
  attempt: AttemptView,
  { withInternals }: { readonly withInternals: boolean },
): VerificationAttempt {
  const { data: reason = null } = ErrorReason.safeParse(attempt.errorReason);
  const fact = reason && ERROR_REASONS[reason];
  return {
    number: attempt.number,
    channel: attempt.channel,
    started_at: attempt.startedAt.toISOString(),
    ended_at: attempt.endedAt?.toISOString() ?? null,
    outcome: attempt.outcome,
    error_reason: reason,
    fixed_by: fact?.fixedBy ?? null,
    explanation: fact?.sentence ?? null,
    reference: attempt.evidence.reference ?? null,
    provenance: [...(attempt.evidence.provenance ?? [])],
    result_version: attempt.resultVersion,
    ...(withInternals && { note: attempt.evidence.note ?? null, key_id: attempt.keyId }),
  };
}

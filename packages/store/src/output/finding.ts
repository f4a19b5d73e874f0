import type { ResponseModel, VerificationSource } from '@insurance-verification/schema';
import type { Vault } from '../encryption/vault.ts';
import type { StoredBenefits } from '../evidence/stored-benefits.ts';
import { outcomeOf } from './decide-disposition.ts';

/** The outcome of a verification: the part of an output that becomes a result. */
export interface ResultFinding {
  readonly outcome: 'complete' | 'error_verifying';
  /** Why the verification failed; null with a complete outcome. */
  readonly errorReason: string | null;
  readonly insuranceData: ResponseModel['insurance_data'];
  /** The benefits that came with it, if any. */
  readonly benefits?: StoredBenefits | undefined;
}

/** The finding of a finished output; null for one that only reports progress. */
export function findingOf({ request, insurance_data: insuranceData }: ResponseModel): ResultFinding | null {
  if (request.state === 'pending') return null;
  const outcome = outcomeOf(request.state);
  return {
    outcome,
    errorReason: outcome === 'error_verifying' ? (request.error_reason ?? null) : null,
    insuranceData,
  };
}

/**
 * Equal for equal findings, whatever their benefits: the contract's output has none. Parsed models list their fields in
 * schema order, so their JSON is canonical; a null optional field equals an absent one.
 */
export function digestOf(vault: Vault, { outcome, errorReason, insuranceData }: ResultFinding): Buffer {
  return vault.index(
    'result.digest',
    JSON.stringify({ outcome, errorReason, insuranceData }, (_, value: unknown) => value ?? undefined),
  );
}

/** The attempt that an output reports. Its channel is that of the first entry. */
export function attemptOf({ insuranceData }: ResultFinding): FindingAttempt {
  return { isLeased: false, channel: insuranceData[0]?.verification_source ?? null, evidence: null };
}

/**
 * The attempt to credit. A verifier with the lease, by token or by key, ends its own attempt with this finding; for any
 * other sender a new attempt is written. Another verifier's open attempt ends as superseded.
 */
export interface FindingAttempt {
  /** The finding came under the lease of the open attempt. */
  readonly isLeased: boolean;
  /** Null when the output names no channel. */
  readonly channel: VerificationSource | null;
  /** Sealed. */
  readonly evidence: Buffer | null;
}

import type { FindingAttempt } from './apply-findings.ts';
import type { ResultFinding } from './finding.ts';

/** The attempt that an output reports. Its channel is that of the first entry. */
export function attemptOf({ insuranceData }: ResultFinding): FindingAttempt {
  return { leaseToken: null, channel: insuranceData[0]?.verification_source ?? null, evidence: null };
}

import type { FindingAttempt } from './apply-findings.ts';
import type { Finding } from './finding.ts';

/** The attempt that an output tells of: its channel is that of its first entry. */
export function attemptOf({ insuranceData }: Finding): FindingAttempt {
  return { leaseToken: null, channel: insuranceData[0]?.verification_source ?? null, evidence: null };
}

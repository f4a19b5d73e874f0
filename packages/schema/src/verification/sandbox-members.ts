import { VERIFICATION_REASON_SLUGS } from '../error-reason.ts';
import type { FailureReason } from './work.ts';

/** The outcome of a sandbox request. */
export type SandboxOutcome =
  | {
      readonly kind: 'active' | 'inactive' | 'several' | 'slow' | 'never' | 'corrected' | 'member_id_changed';
    }
  | { readonly kind: 'benefits'; readonly sample: 'medical' | 'dental' | 'medicare' }
  | { readonly kind: 'failed'; readonly errorReason: FailureReason };

const named = {
  'TEST-ACTIVE': { kind: 'active' },
  'TEST-INACTIVE': { kind: 'inactive' },
  'TEST-SEVERAL': { kind: 'several' },
  'TEST-SLOW': { kind: 'slow' },
  'TEST-NEVER': { kind: 'never' },
  'TEST-CORRECTED': { kind: 'corrected' },
  'TEST-MEMBER-ID-CHANGED': { kind: 'member_id_changed' },
  'TEST-BENEFITS-MEDICAL': { kind: 'benefits', sample: 'medical' },
  'TEST-BENEFITS-DENTAL': { kind: 'benefits', sample: 'dental' },
  'TEST-BENEFITS-MEDICARE': { kind: 'benefits', sample: 'medicare' },
} as const satisfies Record<string, SandboxOutcome>;

const failures = VERIFICATION_REASON_SLUGS.map((errorReason) => [
  `TEST-${errorReason.toUpperCase().replaceAll('_', '-')}`,
  { kind: 'failed' as const, errorReason },
]);

/**
 * The member ids reserved for tests, case-insensitive: in an account of mode `test`, a request for one of them reaches
 * this outcome by itself. `TEST-MEMBER-NOT-FOUND` fails with `member_not_found`, and likewise for every slug a verifier
 * can give. With any other member id such a request waits for a verifier of a test account; no payer is asked.
 */
export const SANDBOX_MEMBER_IDS: Readonly<Record<string, SandboxOutcome>> = {
  ...named,
  ...(Object.fromEntries(failures) as Record<string, SandboxOutcome>),
};

import type { Quota } from '@insurance-verification/store';

/** Policies, and what they count by: an account, a key, or a client's address. */
const POLICIES = {
  intake: { by: 'account', quota: 60_000, windowSeconds: 60 },
  reads: { by: 'account', quota: 60_000, windowSeconds: 60 },
  'redeliver-exhausted': { by: 'account', quota: 6, windowSeconds: 60 },
  'secret-reveal': { by: 'key', quota: 10, windowSeconds: 3600 },
  'wrong-keys': { by: 'address', quota: 60, windowSeconds: 60 },
  'anonymous-output': { by: 'address', quota: 60, windowSeconds: 60 },
  'sign-in': { by: 'address', quota: 10, windowSeconds: 60 },
  'sign-in-links': { by: 'address', quota: 10, windowSeconds: 60 },
} as const satisfies Record<string, Quota & { readonly by: 'account' | 'key' | 'address' }>;

/** A policy's name in answers. */
type PolicyName = keyof typeof POLICIES;

/** What a policy allows one subject. */
export interface Policy extends Quota {
  readonly name: PolicyName;
  readonly by: 'account' | 'key' | 'address';
  /** The `RateLimit-Policy` field, built once. */
  readonly field: string;
}

/** A policy with its default quota or a given one. */
export function policyOf(name: PolicyName, quota: Quota = POLICIES[name]): Policy {
  return {
    name,
    by: POLICIES[name].by,
    quota: quota.quota,
    windowSeconds: quota.windowSeconds,
    field: `"${name}";q=${quota.quota};w=${quota.windowSeconds}`,
  };
}

import type { AccountLimits, LimitPolicy, PolicyLimit } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID, type StoredLimits } from '@insurance-verification/store';
import { policyOf } from '../../limits/limiter.ts';

/** The limits in force for an account, as operators see them. */
export function toAccountLimits({ accountId, quotas, allowedCidrs }: StoredLimits): AccountLimits {
  const limitOf = (name: LimitPolicy): PolicyLimit => {
    const own = quotas[name];
    if (own) return { quota: own.quota, window_seconds: own.windowSeconds, overridden: true };
    if (accountId === DEFAULT_ACCOUNT_ID) return { quota: null, window_seconds: null, overridden: false };
    const { quota, windowSeconds } = policyOf(name);
    return { quota, window_seconds: windowSeconds, overridden: false };
  };
  return {
    account_id: accountId,
    policies: {
      intake: limitOf('intake'),
      reads: limitOf('reads'),
      'redeliver-exhausted': limitOf('redeliver-exhausted'),
      'secret-reveal': limitOf('secret-reveal'),
    },
    allowed_cidrs: allowedCidrs && [...allowedCidrs],
  };
}

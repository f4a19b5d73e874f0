import * as z from 'zod';

/** Proves that the caller holds the lease. Any string passes: a malformed token answers 409, like a stale one. */
export function leaseToken() {
  return z.string().meta({ description: 'The lease_token of the claim.' });
}

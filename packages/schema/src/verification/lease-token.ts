import * as z from 'zod';

/** Proves that the caller holds the lease. Any string passes: a malformed one is as stale as an old one, so 409. */
export function leaseToken() {
  return z.string().meta({ description: 'The lease_token of the claim.' });
}

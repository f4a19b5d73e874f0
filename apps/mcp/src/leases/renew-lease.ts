import {
  ConflictError,
  ForbiddenError,
  GoneError,
  NotFoundError,
  type RestClient,
  UnauthorizedError,
} from '@insurance-verification/client';
import { type Lease, lose, type LossReason, nextRenewal } from './lease.ts';

/** The retry delay after a transient failure. */
const RETRY_MS = 2_000;

/**
 * Renews a lease, or records its loss. Any other failure may be transient and is retried while the client is present.
 */
export async function renewLease(client: RestClient, lease: Lease): Promise<void> {
  lease.renewAt = Number.POSITIVE_INFINITY; // one renewal at a time
  try {
    const { request_id, lease_token } = tokenOf(lease);
    const renewed = await client.work.heartbeat({ request_id, lease_token });
    lease.expiresAt = renewed.lease_expires_at;
    lease.renewAt = nextRenewal(renewed.lease_expires_at, Date.now());
  } catch (err) {
    lose(lease, lossOf(err)); // another call may have found the loss meanwhile
    lease.renewAt = Date.now() + RETRY_MS;
  }
}

/** The proof of a lease for the service. */
export function tokenOf({ requestId, token }: Lease): { request_id: string; lease_token: string } {
  return { request_id: requestId, lease_token: token };
}

/** The loss that an error means; undefined when the lease may still hold. */
export function lossOf(err: unknown): LossReason | undefined {
  if (err instanceof UnauthorizedError || err instanceof ForbiddenError) return 'key_refused';
  if (err instanceof GoneError && err.problemCode === 'request_erased') return 'request_erased';
  if (err instanceof NotFoundError) return 'lease_lost';
  return err instanceof ConflictError && err.problemCode === 'lease_lost' ? 'lease_lost' : undefined;
}

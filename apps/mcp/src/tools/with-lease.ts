import { type Lease, lose } from '../leases/lease.ts';
import { NotHeldError } from '../leases/not-held-error.ts';
import { lossOf, tokenOf } from '../leases/renew-lease.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Runs work with a lease that the agent holds. A loss that only shows now is reported like any other.
 * @throws {NotHeldError}
 */
export async function withLease<T>(
  { book, presence }: ToolContext,
  requestId: string,
  act: (lease: Lease, token: ReturnType<typeof tokenOf>) => Promise<T>,
): Promise<T> {
  const lease = book.take(requestId, presence);
  try {
    return await act(lease, tokenOf(lease));
  } catch (err) {
    const loss = lossOf(err);
    if (loss === undefined || loss === 'key_refused') throw err;
    lose(lease, loss);
    lease.isLossReported = true;
    throw new NotHeldError(requestId, lease);
  }
}

import { type Lease, describeLoss } from './lease.ts';

/** The agent named a request that it does not hold. */
export class NotHeldError extends Error {
  override readonly name = 'NotHeldError';
  /** The service's code for it. */
  readonly problemCode: 'lease_lost' | 'request_erased';

  constructor(requestId: string, lease: Lease | undefined) {
    super(
      lease
        ? describeLoss(lease)
        : `You hold no lease on ${requestId.slice(0, 100)}. Take work with claim_next.`,
    );
    this.problemCode = lease?.lost === 'request_erased' ? lease.lost : 'lease_lost';
  }
}

/** The agent holds the maximum number of requests for one key. */
export class TooManyLeasesError extends Error {
  override readonly name = 'TooManyLeasesError';

  constructor(count: number) {
    super(
      `Your key holds ${count} requests, which is the most. Hand some in, fail or release them before the next claim_next.`,
    );
  }
}

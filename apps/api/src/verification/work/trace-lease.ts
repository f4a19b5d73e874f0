import type { ClaimedWork } from '@insurance-verification/store';
import type { App } from '../../procedure/context/app.ts';

interface Claimed {
  readonly operation: 'work.claim' | 'work.claimRequest' | 'work.takeBack';
  readonly keyId: string;
}

/** Traces a lease as an instant: nothing happens here until the verifier submits something. */
export function traceLease({ tracing }: App, work: ClaimedWork, { operation, keyId }: Claimed): void {
  tracing?.step({
    requestId: work.requestId,
    name: `verification ${operation}`,
    kind: 'server',
    startedAt: Date.now(),
    durationMs: 0,
    attributes: { 'ivs.channel': work.channel, 'ivs.attempt': work.attemptNumber, 'ivs.key_id': keyId },
    failed: false,
  });
}

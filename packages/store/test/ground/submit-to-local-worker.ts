import type { ResponseModel } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { acceptOutput, type ClaimedDelivery, type Store } from '../../src/index.ts';
import { aPlatformCaller, PAYER_ID } from './stages.ts';

/** Submits a request's first result, with a worker that takes over its delivery. */
export async function submitToLocalWorker(store: Store, output: ResponseModel): Promise<ClaimedDelivery> {
  const begun: ClaimedDelivery[] = [];
  const begin = (claimed: ClaimedDelivery) => void begun.push(claimed);
  const unexpected = () => expect.fail('there is a place, and the result is written');
  const localWorker = { reserve: () => ({ begin, free: unexpected }), wake: unexpected };
  const submitted = {
    output,
    payerId: PAYER_ID,
    caller: aPlatformCaller(),
    client: null,
    trusted: true,
    holdsAgentResults: false,
  };
  await acceptOutput(store, submitted, localWorker);
  return begun[0] ?? expect.fail('nothing was begun');
}

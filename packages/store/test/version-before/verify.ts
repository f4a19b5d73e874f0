import { anOutput } from '@insurance-verification/testing/an-output';
import {
  advanceWork,
  type Caller,
  dismissHeldOutput,
  endCall,
  getDrafts,
  heartbeatWork,
  keepX12Exchanges,
  listDrafts,
  listRequests,
  nextX12ControlNumbers,
  saveDraft,
  startCall,
  type Store,
} from '../../src/index.ts';
import { aPlatformCaller, hold, PAYER_ID } from '../ground/stages.ts';
import {
  aVerifier,
  claimOne,
  fail,
  LEASE_SECONDS,
  release,
  ROUTE,
  submitFound,
} from '../ground/work-queue.ts';

/** A request fails in its channel, and another is verified; somebody looks for work in between. */
export async function verify(store: Store, caller: Caller): Promise<void> {
  const verifier = aVerifier();
  const work = await claimOne(store, { caller: verifier, routes: [{ ...ROUTE, skipsUnattended: true }] });
  const { requestId, leaseToken } = work;
  await heartbeatWork(store, { caller: verifier, requestId, leaseToken, leaseSeconds: LEASE_SECONDS });
  await saveDraft(store, { caller: verifier, requestId, content: 'Called twice.', revision: null });
  await listDrafts(store, { caller: verifier, limit: 10 });
  const lease = { caller: verifier, requestId, leaseToken, sessionId: undefined };
  await startCall(store, lease);
  await endCall(store, { ...lease, leaseSeconds: LEASE_SECONDS });
  await getDrafts(store, { caller: verifier, requestId });
  await release(store, work);
  await fail(store, await claimOne(store));
  const [controlNumber = 0] = await nextX12ControlNumbers(store, 1);
  await keepX12Exchanges(store, [
    {
      requestId,
      accountId: caller.accountId,
      payerId: PAYER_ID,
      controlNumber,
      startedAt: new Date(),
      durationMs: 812,
      statusCode: 200,
      errorReason: null,
      payerCodes: ['AAA 75'],
      inquiry: 'ISA*NM1*IL*1*ROE*JANE~',
      answer: Buffer.from('ISA*NM1*IL*1*ROE*JANE~'),
    },
  ]);
  await submitFound(store, await claimOne(store));
  const [request] = (await listRequests(store, { caller, limit: 1 })).items;
  if (!request) throw new Error('The account has requests.');
  const superseding = await hold(store, anOutput(request), { trusted: false });
  await dismissHeldOutput(store, { caller: aPlatformCaller(), heldId: superseding, note: 'A mistake.' });
  await advanceWork(store, [ROUTE]);
}

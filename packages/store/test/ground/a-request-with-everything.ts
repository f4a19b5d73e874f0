import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import {
  applyHeldOutput,
  type Caller,
  insertRequests,
  keepX12Exchanges,
  nextX12ControlNumbers,
} from '../../src/index.ts';
import type { TestStores } from './open-test-stores.ts';
import { anAccount, aPlatformCaller, claimFor, finish, hold, PAYER_ID, submit } from './stages.ts';
import { claimOne, fail, submitFound, workQueue } from './work-queue.ts';

/**
 * A request with a value in every column: worked on twice, corrected, delivered, and with outputs held of it. It alone
 * has no draft, which its result ended, and no note.
 */
export async function aRequestWithEverything(
  stores: TestStores,
): Promise<{ readonly caller: Caller; readonly requestId: string; readonly heldIds: readonly string[] }> {
  const { store } = stores;
  const caller = await anAccount(store, { mode: 'live' });
  await workQueue(stores).empty();
  const [inserted] = await insertRequests(store, [
    {
      caller,
      payerId: PAYER_ID,
      input: aRequest(),
      idempotencyKey: 'visit-1',
      serviceDate: '2026-12-03',
      gender: 'F',
      neededBy: new Date(Date.now() + 3_600_000),
    },
  ]);
  if (inserted?.kind !== 'created') throw new Error('It was not created.');
  const { request } = inserted;
  const requestId = request.request_id ?? '';
  await submit(store, anOutput(request, { state: 'pending' }));
  const [controlNumber = 0] = await nextX12ControlNumbers(store, 1);
  const about = { requestId, accountId: caller.accountId, payerId: PAYER_ID, controlNumber };
  const sent = {
    startedAt: new Date(),
    durationMs: 1,
    statusCode: 200,
    errorReason: null,
    payerCodes: ['AE'],
  };
  await keepX12Exchanges(store, [{ ...about, ...sent, inquiry: 'ISA~', answer: Buffer.from('ISA~') }]);
  await fail(store, await claimOne(store), { evidence: { note: 'Jane did not answer' } });
  const second = await claimOne(store, { channels: ['agent_web_portal', 'manual_phone_call'] });
  const row = { row: 0, loop: 'patient' as const, delimiters: '*:^', segments: ['EB*1**30', 'MSG*JANE'] };
  const coverage = { group_number: '7', relationship: 'self' as const, order: null, rows: [row] };
  await submitFound(store, second, {
    benefits: { serviceDate: '2026-11-26', leftOut: 0, coverages: [coverage] },
    evidence: { note: 'Jane is covered' },
  });
  await finish(store, await claimFor(store, requestId), { responseSnippet: Buffer.from('thank you, Jane') });
  const correction = anOutput(request, {
    state: 'error_verifying',
    error_reason: 'member_not_found',
    insurance_data: [],
  });
  await applyHeldOutput(store, { caller: aPlatformCaller(), heldId: await hold(store, correction) });
  await finish(store, await claimFor(store, requestId), { responseSnippet: Buffer.from('again') });
  const ofKey = await hold(store, anOutput(request, { notes: 'of a key' }));
  const ofAnonymous = await hold(store, anOutput(request, { notes: 'of a stranger' }), {
    caller: null,
    client: '203.0.113.7',
    trusted: false,
  });
  return { caller, requestId, heldIds: [ofKey, ofAnonymous] };
}

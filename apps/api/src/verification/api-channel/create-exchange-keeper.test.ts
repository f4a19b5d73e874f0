import { insertRequests, readX12Exchanges, type PlainX12Exchange } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { aRequestFor } from '../../../test/verification/a-connection.ts';
import { aLiveAccount } from '../../../test/verification/a-live-account.ts';
import { createExchangeKeeper } from './create-exchange-keeper.ts';

// Without it an answer that came beside others, or a long one, would be lost as evidence.
test('exchanges that end together are each kept, long answers too', async () => {
  const { store, caller } = await aLiveAccount();
  const newRequests = Array.from({ length: 70 }, () => ({
    caller,
    payerId: 'plan-1',
    input: aRequestFor('W123456789'),
    idempotencyKey: null,
  }));
  const stored = await insertRequests(store, newRequests);
  const exchanges = stored.map((one, index): PlainX12Exchange => {
    if (one.kind !== 'created') throw new Error(one.kind);
    return {
      requestId: one.request.request_id ?? '',
      accountId: caller.accountId,
      payerId: 'plan-1',
      controlNumber: index + 1,
      startedAt: new Date('2026-11-21T09:30:00Z'),
      durationMs: 812,
      statusCode: 200,
      errorReason: null,
      payerCodes: [],
      inquiry: `ISA*${index}`,
      answer: Buffer.alloc(index % 10 === 0 ? 70_000 : 100, `answer ${index} `),
    };
  });
  const keep = createExchangeKeeper(store);
  await Promise.all(exchanges.map(keep));
  for (const exchange of exchanges)
    expect(await readX12Exchanges(store, exchange.requestId)).toEqual([exchange]);
});

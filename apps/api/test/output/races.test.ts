import type {
  DeliveryList,
  HeldOutputList,
  OutputReceipt,
  ResponseModel,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { aTableLock } from '../a-table-lock.ts';
import { verified } from '../verified.ts';

const thirty = Array.from({ length: 30 }, (_, index) => index);

/** As many as a process has connections. */
const pool = thirty.slice(0, 20);

test('thirty equal outputs at once make one outcome and one webhook', async () => {
  const receiver = await aReceiver();
  const service = await aService();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const receipts = await Promise.all(
    thirty.map(() => service.answer<OutputReceipt>('POST', '/verification-output', anOutput(request))),
  );
  expect(receipts.filter(({ status }) => status === 'applied')).toEqual([{ status: 'applied', version: 1 }]);
  expect(receipts.filter(({ status }) => status === 'unchanged')).toHaveLength(29);
  await until('the delivery is done', async () => {
    const { items } = await service.answer<DeliveryList>('GET', `/requests/${request.request_id}/deliveries`);
    expect(items).toHaveLength(1);
    return items[0]?.status === 'delivered';
  });
  expect(receiver.received).toHaveLength(1);
});

test('of thirty different outputs at once one becomes the outcome and is sent, the others are held', async () => {
  const receiver = await aReceiver();
  const service = await aService();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const outputs = thirty.map((index) =>
    anOutput(request, { insurance_data: [aCoverage(request, { notes: `${index}` })] }),
  );
  const receipts = await Promise.all(
    outputs.map((output) => service.answer<OutputReceipt>('POST', '/verification-output', output)),
  );
  const applied = receipts.findIndex(({ status }) => status === 'applied');
  expect(receipts.filter(({ reason }) => reason === 'superseding')).toHaveLength(29);
  const result = await service.answer<ResponseModel>('GET', `/requests/${request.request_id}/result`);
  expect(result.insurance_data).toEqual(outputs[applied]?.insurance_data);
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toEqual(result);
  expect((await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100')).items).toHaveLength(29);
});

// On a fresh database the first held output creates the system's data key. Broke: each of thirty outputs held its own
// transaction's connection and waited for a second one, and all were 503.
test('thirty outputs that are held at once on a fresh database are all taken', async () => {
  const service = await aService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed' } });
  const request = await aStoredRequest(service);
  const answers = await Promise.all(
    thirty.map((index) =>
      service.ask('POST', '/verification-output', {
        body: anOutput(request, { error_reason: `${index}` }),
        key: null,
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(thirty.map(() => 200));
  expect((await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100')).items).toHaveLength(30);
});

// Two processes share no memory: a transaction must load a data key that the other process created. From the same
// pool, as many transactions as it has connections would each wait for one more, and all would be 503. Nobody beyond the
// pool, and all of it open before the lock: the first waits for a lock 1.2 s at most, and for a connection 0.7 s.
test('a full pool of transactions finds the data key of an account that another process made', async () => {
  const first = await aService();
  const second = await aService({ databaseUrl: first.databaseUrl });
  const { account_id } = await first.answer<{ account_id: string }>('POST', '/accounts', { name: 'New' });
  const { key } = await first.answer<{ key: string }>('POST', '/keys', { account_id, scopes: ['requests'] });
  const requests = await Promise.all(pool.map(() => aStoredRequest(first, {}, key)));
  await second.ask('GET', '/keys'); // loads the caller, so that closing looks up nothing else
  await Promise.all(pool.map(() => second.ask('GET', '/requests')));
  const lock = await aTableLock(first.databaseUrl, 'request');
  const answers = requests.map(({ request_id }) =>
    second.ask('POST', `/requests/${request_id}/close`, { body: { reason: 'withdrawn' } }),
  );
  await lock.waitedForBy(pool.length);
  await lock.release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(pool.map(() => 200));
});

// Broke: beyond the pool of 20 they waited for connections, and most of a burst was a 503.
test('a burst of outputs far beyond the pool, for an account of another process, is all applied', async () => {
  const first = await aService();
  const second = await aService({ databaseUrl: first.databaseUrl });
  const { account_id } = await first.answer<{ account_id: string }>('POST', '/accounts', { name: 'New' });
  const { key } = await first.answer<{ key: string }>('POST', '/keys', { account_id, scopes: ['requests'] });
  const requests = await Promise.all(Array.from({ length: 150 }, () => aStoredRequest(first, {}, key)));
  await second.ask('GET', '/keys');
  const lock = await aTableLock(first.databaseUrl, 'request');
  const answers = requests.map((request) =>
    second.ask('POST', '/verification-output', { body: anOutput(request) }),
  );
  await lock.waitedForBy(1);
  await lock.release();
  expect((await Promise.all(answers)).map(({ json }) => json)).toEqual(
    requests.map(() => ({ status: 'applied', version: 1 })),
  );
});

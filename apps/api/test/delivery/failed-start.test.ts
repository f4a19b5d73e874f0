import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { expect, test, vi } from 'vitest';
import { aPayersFile } from '../a-payers-file.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { aFinishedRequest } from './deliveries.ts';

// A worker that outlives a failed start sends messages without recording them: later duplicates.
test('a start whose API channel does not load has sent nothing', async () => {
  const receiver = await aReceiver();
  const http = await aService({ env: { ROLES: 'http' } });
  const { databaseUrl } = http;
  await aFinishedRequest(http, receiver.url);
  // As when the channel's HTTP client is not installed. The import fails after two round trips to the database.
  vi.doMock('../../src/verification/api-channel/create-exchange.ts', async () => {
    for (let trip = 0; trip < 2; trip += 1) await rows(databaseUrl, 'select 1');
    throw new Error('Cannot find package undici');
  });
  const x12 = { url: 'https://clearinghouse.example/270', sender_id: 'CLINIC', receiver_id: 'CH' };
  const payers = [1, 2, 3, 4].map((number) => ({ id: `plan-${number}`, name: `Payer Plan ${number}`, x12 }));
  const starting = aService({ databaseUrl, env: { PAYERS_FILE: aPayersFile(payers) } });
  await expect(starting).rejects.toMatchObject({ cause: { message: 'Cannot find package undici' } });
  expect(receiver.connectionCount()).toBe(0);
  expect(await rows(databaseUrl, 'select claim_count, lease from delivery_queue')).toEqual([
    { claim_count: 0, lease: null },
  ]);
});

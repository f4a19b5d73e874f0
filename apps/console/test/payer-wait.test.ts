import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aBatch } from './ground/a-batch.ts';
import { startService } from './ground/a-service.ts';
import { aReader } from './ground/rendered.ts';

/** The payers of the console's tests, whose API is at a port where nothing listens. */
async function somePayers(): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const path = join(aFolder(), 'payers.json');
  const payers = ['Harbor Mutual', 'Two', 'Three', 'Four'].map((name, index) => ({
    id: `plan-${index}`,
    name,
    channels: ['api', 'manual_phone_call'],
    x12: { url, sender_id: 'IVSERVICE', receiver_id: 'PAYER', test: true },
  }));
  writeFileSync(path, JSON.stringify({ payers }));
  return path;
}

// Breaks if a desk takes a payer that is down for a request that has no verifier.
test('a request, its list and its batch say which payer is waited for, since when, and until when', async () => {
  const service = await startService({ PAYERS_FILE: await somePayers() });
  onTestFinished(() => service.stop());
  const batchId = await aBatch(
    service,
    'Tonight',
    Array.from({ length: 12 }, (_, index) =>
      aRequest({
        patient_info: { subscriber_id: `W${index}`, name: 'Jane Doe' },
        payer_info: { name: 'Harbor Mutual' },
      }),
    ),
  );
  const [first] = await until('the payer is waited for', async () => {
    const { items } = await service.client.requests.search({});
    return items[0]?.waiting_for_payer && items;
  });
  const reader = await aReader(service, ['operator', 'viewer']);
  const said =
    /Harbor Mutual has not answered since \w+ \d+, [\d:]+ [AP]M; tried again until \w+ \d+, [\d:]+ [AP]M\./;
  expect((await reader.open(`/requests/${first?.request_id}`)).only('main').text).toMatch(said);
  expect((await reader.open('/requests')).only('main').text).toMatch(said);
  expect((await reader.open(`/batches/${batchId}`)).only('main').text).toMatch(
    /Harbor Mutual has not answered since \w+ \d+, [\d:]+ [AP]M: 12 rows wait for it, and are tried again\./,
  );
});

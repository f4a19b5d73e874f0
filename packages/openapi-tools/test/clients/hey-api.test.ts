import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { expect, test } from 'vitest';
import { type ProviderEnv, USED, useProvider } from '../a-provider.ts';
import { aFolder, compileAndImport } from '../compile.ts';

const provider = useProvider();

const CONSUMER = `
import { Webhook } from 'standardwebhooks';
import { createClient } from './generated/client/index.js';
import {
  batchesCreate, batchesGet, batchesResults, deliveriesList, requestsBenefits, requestsCreate, requestsGet,
} from './generated/sdk.gen.js';
import type { RequestInfo, ResponseModel } from './generated/types.gen.js';

const request = (callback_url: string): RequestInfo => ({
  patient_info: { subscriber_id: 'TEST-BENEFITS-DENTAL' },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  callback_url,
});

export async function useIt(env: Readonly<Record<string, string>>) {
  const client = createClient({ baseUrl: env['IV_URL'] ?? '', auth: env['IV_KEY'] ?? '' });
  const options = { client, throwOnError: true } as const;
  let { data: read } = await requestsCreate({ ...options, body: request('https://clinic.example/verified') });
  const path = { request_id: read.request_id ?? '' };
  for (let tries = 0; read.state === 'pending' && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ({ data: read } = await requestsGet({ ...options, path }));
  }
  const { data: benefits } = await requestsBenefits({ ...options, path });
  const { response: absent } = await requestsGet({ client, path: { request_id: 'req_00000000000000000000000000' } });
  const { response: refused } = await requestsCreate({ client, body: request('no address') });
  const result = new Webhook(env['IV_WEBHOOK_SECRET'] ?? '').verify(env['WEBHOOK_BODY'] ?? '', {
    'webhook-id': env['WEBHOOK_ID'] ?? '',
    'webhook-timestamp': env['WEBHOOK_TIMESTAMP'] ?? '',
    'webhook-signature': env['WEBHOOK_SIGNATURE'] ?? '',
  }) as ResponseModel;
  const { data: sent } = await batchesCreate({
    ...options,
    body: env['IV_ROWS'] ?? '',
    bodySerializer: null,
    headers: { 'Idempotency-Key': 'visits' },
  });
  const batch = { batch_id: sent.batch_id };
  const { data: counted } = await batchesGet({ ...options, path: batch });
  const { data: results } = await batchesResults({ ...options, path: batch });
  const { data: deliveries } = await deliveriesList(options);
  return {
    state: read.state,
    coverages: benefits.coverages.length,
    absent: absent?.status,
    refused: refused?.status,
    delivered: result.request.state,
    plans: result.insurance_data.length,
    rows: counted.counters.received,
    lines: (await results.text()).trim().split('\\n').length,
    event: deliveries.items.find(({ request_id }) => request_id === null)?.event_type,
  };
}
`;

test('@hey-api/openapi-ts makes a client that compiles and works, and reads a verified webhook', async () => {
  const folder = aFolder();
  await createClient({
    input: `${provider().url}/openapi.json?for=provider`,
    output: { path: join(folder, 'generated'), module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const { useIt } = await compileAndImport<{ useIt: (env: ProviderEnv) => Promise<unknown> }>(folder);
  expect(await useIt(await provider().anEnv())).toEqual(USED);
});

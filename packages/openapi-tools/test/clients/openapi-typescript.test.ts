import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { type ProviderEnv, USED, useProvider } from '../a-provider.ts';
import { aFolder, compileAndImport } from '../compile.ts';

const provider = useProvider();

const CONSUMER = `
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import type { components, paths } from './schema.js';

type RequestInfo = components['schemas']['RequestInfo'];
type ResponseModel = components['schemas']['ResponseModel'];

const request = (callback_url: string): RequestInfo => ({
  patient_info: { subscriber_id: 'TEST-BENEFITS-DENTAL' },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  callback_url,
});

// @ts-expect-error the document asks for a payer
export const lacking: RequestInfo = { patient_info: { subscriber_id: 'W1' }, provider_info: { npi: '1', name: 'A' }, callback_url: 'https://x.example' };

export async function useIt(env: Readonly<Record<string, string>>) {
  const client = createClient<paths>({ baseUrl: env['IV_URL'] ?? '', headers: { 'x-key': env['IV_KEY'] } });
  const created = await client.POST('/requests/', { body: request('https://clinic.example/verified') });
  const path = { request_id: created.data?.request_id ?? '' };
  let state = created.data?.state;
  for (let tries = 0; state === 'pending' && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { data } = await client.GET('/requests/{request_id}', { params: { path } });
    state = data?.state;
  }
  const { data: benefits } = await client.GET('/requests/{request_id}/benefits', { params: { path } });
  const absent = await client.GET('/requests/{request_id}', { params: { path: { request_id: 'req_00000000000000000000000000' } } });
  const refused = await client.POST('/requests/', { body: request('no address') });
  const result = new Webhook(env['IV_WEBHOOK_SECRET'] ?? '').verify(env['WEBHOOK_BODY'] ?? '', {
    'webhook-id': env['WEBHOOK_ID'] ?? '',
    'webhook-timestamp': env['WEBHOOK_TIMESTAMP'] ?? '',
    'webhook-signature': env['WEBHOOK_SIGNATURE'] ?? '',
  }) as ResponseModel;
  const sent = await client.POST('/batches', {
    params: { header: { 'Idempotency-Key': 'visits' } },
    headers: { 'content-type': 'application/x-ndjson' },
    body: env['IV_ROWS'] ?? '',
    bodySerializer: (rows) => rows,
  });
  const batch = { batch_id: sent.data?.batch_id ?? '' };
  const counted = await client.GET('/batches/{batch_id}', { params: { path: batch } });
  const results = await client.GET('/batches/{batch_id}/results', { params: { path: batch }, parseAs: 'text' });
  const deliveries = await client.GET('/deliveries');
  return {
    state,
    coverages: benefits?.coverages.length,
    absent: absent.response.status,
    refused: refused.response.status,
    delivered: result.request.state,
    plans: result.insurance_data.length,
    rows: counted.data?.counters.received,
    lines: results.data?.trim().split('\\n').length,
    event: deliveries.data?.items.find(({ request_id }) => request_id === null)?.event_type,
  };
}
`;

test('openapi-typescript makes types that compile, with which openapi-fetch is a client', async () => {
  const folder = aFolder();
  const document = new URL(`${provider().url}/openapi.json?for=provider`);
  writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTypescript(document)));
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const { useIt } = await compileAndImport<{ useIt: (env: ProviderEnv) => Promise<unknown> }>(folder);
  expect(await useIt(await provider().anEnv())).toEqual(USED);
});

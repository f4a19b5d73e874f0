import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { expect, test } from 'vitest';
import { useService } from './a-service.ts';
import { aFolder, compileAndImport } from './compile.ts';
import { DOCUMENT_PATH, exampleOfCreate } from './read-document.ts';

const service = useService();

const CONSUMER = `
import { createClient } from './generated/client/index.js';
import { requestsCreate, requestsGet, requestsList, verificationOutputSubmit } from './generated/sdk.gen.js';
import type { RequestInfo, ResponseModel } from './generated/types.gen.js';

export async function useIt(baseUrl: string, auth: string, body: RequestInfo) {
  const client = createClient({ baseUrl, auth });
  const { data: created } = await requestsCreate({ client, body, throwOnError: true });
  const path = { request_id: created.request_id ?? '' };
  const output: ResponseModel = { request: { ...created, state: 'complete' }, insurance_data: [] };
  await verificationOutputSubmit({ client, body: output, throwOnError: true });
  const { data: read } = await requestsGet({ client, path, throwOnError: true });
  const { data: page } = await requestsList({ client, query: { limit: 1, state: 'complete' }, throwOnError: true });
  const { error, response } = await requestsGet({ client, path: { request_id: 'nothing' } });
  return { created, read, page, refusal: { error, status: response?.status } };
}
`;

test('@hey-api/openapi-ts makes a client that compiles and works', async () => {
  const folder = aFolder();
  await createClient({
    input: DOCUMENT_PATH,
    output: { path: join(folder, 'generated'), module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const { useIt } = await compileAndImport<{
    useIt: (url: string, key: string, body: unknown) => Promise<Record<string, unknown>>;
  }>(folder);
  const { url, apiKey } = service();
  expect(await useIt(url, apiKey, exampleOfCreate())).toMatchObject({
    created: { state: 'pending', input: exampleOfCreate() },
    read: { state: 'complete' },
    page: { items: [{ state: 'complete' }] },
    refusal: { status: 404, error: { code: 'not_found' } },
  });
});

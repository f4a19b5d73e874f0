import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { useService } from './a-service.ts';
import { aFolder, compileAndImport } from './compile.ts';
import { DOCUMENT_PATH, exampleOfCreate } from './read-document.ts';

const service = useService();

/** A fetch client that knows the service only through its types. */
const CONSUMER = `
import type { paths } from './schema.js';

type Create = paths['/requests/']['post'];
type RequestInfo = Create['requestBody']['content']['application/json'];
type RequestModel = Create['responses'][200]['content']['application/json'];
type Problem = Create['responses'][401]['content']['application/problem+json'];

export async function create(url: string, key: string, body: RequestInfo): Promise<RequestModel | Problem> {
  const headers = { 'content-type': 'application/json', 'x-key': key };
  const res = await fetch(url + ('/requests/' satisfies keyof paths), { method: 'POST', headers, body: JSON.stringify(body) });
  const answer: unknown = await res.json();
  return res.ok ? (answer as RequestModel) : (answer as Problem);
}

// @ts-expect-error the spec asks for a payer
export const lacking: RequestInfo = { patient_info: { subscriber_id: 'W1' }, provider_info: { npi: '1', name: 'A' }, callback_url: 'https://x.example' };
`;

test('openapi-typescript makes types that compile, and that the service keeps', async () => {
  const folder = aFolder();
  const types = astToString(await openapiTypescript(pathToFileURL(DOCUMENT_PATH)));
  writeFileSync(join(folder, 'schema.ts'), types);
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const { create } = await compileAndImport<{
    create: (url: string, key: string, body: unknown) => Promise<{ state?: string; code?: string }>;
  }>(folder);
  const { url, apiKey } = service();
  expect(await create(url, apiKey, exampleOfCreate())).toMatchObject({
    state: 'pending',
    input: exampleOfCreate(),
  });
  expect(await create(url, 'no key', exampleOfCreate())).toMatchObject({ code: 'unauthorized' });
});

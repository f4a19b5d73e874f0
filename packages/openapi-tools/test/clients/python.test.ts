import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { beforeAll, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { aFolder } from '../compile.ts';
import { DOCUMENT_PATH, exampleOfCreate } from '../read-document.ts';

const GENERATOR = 'openapi-python-client';
const VERSION = '0.29.1';

let bin: string;
beforeAll(async () => {
  const folder = await installOnce(`${GENERATOR}-${VERSION}`, async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    await run(`${empty}/bin/pip`, ['install', '--quiet', `${GENERATOR}==${VERSION}`]);
  });
  bin = `${folder}/bin`;
}, INSTALL_PATIENCE_MS);

const service = useService();

const CONSUMER = `
import json, sys
from insurance_verification_api_client import AuthenticatedClient
from insurance_verification_api_client.api.intake import requests_create, requests_get
from insurance_verification_api_client.models import RequestInfo

url, key, body = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, auth_header_name="x-key", prefix="")
created = requests_create.sync(client=client, body=RequestInfo.from_dict(json.loads(body)))
read = requests_get.sync(request_id=created.request_id, client=client)
missing = requests_get.sync_detailed(request_id="nothing", client=client)
print(json.dumps({"read": read.to_dict(), "status": missing.status_code, "refusal": missing.parsed.to_dict()}))
`;

test('openapi-python-client makes a client that compiles and works', async () => {
  const folder = aFolder();
  const output = ['--meta', 'none', '--output-path', 'insurance_verification_api_client'];
  await run(`${bin}/${GENERATOR}`, ['generate', '--path', DOCUMENT_PATH, ...output], { cwd: folder });
  await run(`${bin}/python`, ['-m', 'compileall', '-q', 'insurance_verification_api_client'], {
    cwd: folder,
  });
  writeFileSync(join(folder, 'consumer.py'), CONSUMER);
  const { url, apiKey } = service();
  const answer = await run(`${bin}/python`, ['consumer.py', url, apiKey, JSON.stringify(exampleOfCreate())], {
    cwd: folder,
  });
  expect(JSON.parse(answer)).toMatchObject({
    read: { state: 'pending', input: exampleOfCreate() },
    status: 404,
    refusal: { code: 'not_found' },
  });
});

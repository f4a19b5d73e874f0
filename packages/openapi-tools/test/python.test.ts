import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useService } from './a-service.ts';
import { aFolder } from './compile.ts';
import { DOCUMENT_PATH, exampleOfCreate } from './read-document.ts';

const service = useService();

/** The generator, where this machine has it; undefined elsewhere. */
const generator = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'openapi-python-client'))
  .find(existsSync);

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

const missing = generator ? '' : ' (NOT RUN: openapi-python-client is not on the PATH)';
if (missing !== '') process.stderr.write(`openapi-python-client makes a client${missing}\n`);

test.runIf(generator)(`openapi-python-client makes a client that compiles and works${missing}`, () => {
  if (generator === undefined) return;
  const folder = aFolder();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(
    generator,
    'generate',
    '--path',
    DOCUMENT_PATH,
    '--meta',
    'none',
    '--output-path',
    'insurance_verification_api_client',
  );
  // The one that it runs on has what its clients import.
  const python = join(dirname(realpathSync(generator)), 'python3');
  run(python, '-m', 'compileall', '-q', 'insurance_verification_api_client');
  writeFileSync(join(folder, 'consumer.py'), CONSUMER);
  const { url, apiKey } = service();
  const answer = JSON.parse(
    run(python, 'consumer.py', url, apiKey, JSON.stringify(exampleOfCreate())),
  ) as object;
  expect(answer).toMatchObject({
    read: { state: 'pending', input: exampleOfCreate() },
    status: 404,
    refusal: { code: 'not_found' },
  });
  expect(readdirSync(join(folder, 'insurance_verification_api_client', 'api'))).toEqual(
    expect.arrayContaining(['access', 'delivery', 'intake', 'output', 'work']),
  );
});

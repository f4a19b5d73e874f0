import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DEFAULT_PAYERS, type RequestModel } from '@insurance-verification/schema';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { inherited } from '@insurance-verification/testing/inherited';
import { expect, test } from 'vitest';
import { sampleRequest } from '../../src/demo/sample-request.ts';
import { useService } from '../a-service.ts';
import { SOURCE_ARGS, iv, ivJson, naming } from '../iv.ts';

const service = useService();
const input = sampleRequest(DEFAULT_PAYERS[0], 'http://127.0.0.1:9/verified');

function aFile(content: string): string {
  const path = join(aFolder(), 'request.json');
  writeFileSync(path, content);
  return path;
}

test('a request is made of options', async () => {
  const words = `requests create --payer|${DEFAULT_PAYERS[0]}|--subscriber-id W1 --dob 1984-05-17 --name Jane --npi 1234567893 --provider Clinic --code D0120 D1110 --callback-url http://127.0.0.1:9/`;
  const args = words.split('|').flatMap((part, index) => (index === 1 ? [part] : part.trim().split(' ')));
  const created = await iv(args, naming(service()));
  expect(created.exitCode, created.stderr).toBe(0);
  expect(created.stdout).toMatch(/^request_id +req_\w+\nstate +pending\n/);
  const [id = ''] = /req_\w+/.exec(created.stdout) ?? [];
  expect(created.stderr).toBe(`Stored. Its state: iv requests get ${id}\n`);
  expect((await service().client.requests.get({ request_id: id })).input).toEqual({
    patient_info: { subscriber_id: 'W1', dob: '1984-05-17', name: 'Jane' },
    payer_info: { name: DEFAULT_PAYERS[0] },
    provider_info: { npi: '1234567893', name: 'Clinic' },
    cpt_code_coverage: ['D0120', 'D1110'],
    callback_url: 'http://127.0.0.1:9/',
  });
});

// Without it a clerk could not say which visit is meant, or that its desk waits.
test('with the day to ask about and when it is needed, which a search shows the time until', async () => {
  const path = aFile(JSON.stringify(input));
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const neededBy = new Date(Date.now() + 2.5 * 3_600_000).toISOString();
  const args = `requests create --file ${path} --service-date ${day} --needed-by ${neededBy}`.split(' ');
  const created = await iv(args, naming(service()));
  expect(created.stdout).toContain(`service_date   ${day}`);
  const [id = ''] = /req_\w+/.exec(created.stdout) ?? [];
  const searched = await iv(['requests', 'search', id], naming(service()));
  expect(searched.stdout).toMatch(/ in 2 h (29|30) min/);
  const refused = await iv([...args.slice(0, -1), '2020-01-01T00:00:00Z'], naming(service()));
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('needed-by');
});

// Without it a clerk cannot give the gender that a payer rejects a patient for.
test('with a gender, which has to be one that the payer can read', async () => {
  const args = ['requests', 'create', '--file', aFile(JSON.stringify(input)), '--gender'];
  expect(await iv([...args, 'F'], naming(service()))).toMatchObject({ exitCode: 0 });
  const refused = await iv([...args, 'woman'], naming(service()));
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('F, M or U')]);
});

// A file or stdin keeps the patient out of the process list.
test('or of a file, under an idempotency key once, with options over it', async () => {
  const path = aFile(JSON.stringify(input));
  const args = ['requests', 'create', '--file', path, '--code', 'D2740', '--idempotency-key', 'order-1'];
  const first = await ivJson<RequestModel>(args, naming(service()));
  expect(first).toMatchObject({ state: 'pending', input: { ...input, cpt_code_coverage: ['D2740'] } });
  expect(await ivJson(args, naming(service()))).toEqual(first);
  const child = spawn(process.execPath, [...SOURCE_ARGS, 'requests', 'create', '--json', '--file', '-'], {
    env: { ...inherited(), ...naming(service()) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(input));
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'pending', input });
});

test('what is missing is named as the service names it; an invalid file ends with 2', async () => {
  const args = ['requests', 'create', '--payer', DEFAULT_PAYERS[0], '--npi', '1234567893'];
  const refused = await iv(args, naming(service()));
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('  body.patient_info.subscriber_id: Field required (missing)\n');
  expect(refused.stderr).toContain('Right, for example: iv requests create --file request.json');
  for (const [path, message] of [
    ['/nowhere/request.json', 'cannot be read (ENOENT)'],
    [aFile('["Jane"]'), 'cannot be used: expected one JSON object'],
    [aFile('Jane'), 'cannot be used: expected one JSON object'],
  ] as const) {
    const wrong = await iv(['requests', 'create', '--file', path], naming(service()));
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wrong.stderr).toContain(message);
    expect(wrong.stderr).not.toContain('Jane');
  }
});

import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aSilentUrl } from '@insurance-verification/testing/a-silent-url';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import type { DemoReport } from '../../src/demo/play-demo.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, ivProcess, naming, startIv } from '../iv.ts';

/** As in production: the payers are not the placeholders, and only outputs from a verifier's key are trusted. */
const service = useService({
  VERIFICATION_OUTPUT_TRUST: 'keyed',
  PAYERS: '["Acme Dental","Birch Health","Cedar Mutual","D\'Arc"]',
});

const steps = [
  '1. Service',
  '2. Request created',
  '3. Webhook secret read',
  '4. Output submitted, as a verifier would',
  '5. Webhook received',
  '6. Signature verified',
  '7. State complete',
];

// Breaks if a newcomer cannot follow a request through all its stages on the service they run.
test('plays every step on a running service, and keeps its secrets', async () => {
  const { client, url, apiKey } = service();
  const { exitCode, stdout, stderr } = await iv(['demo'], naming(service()));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.match(/^\d\. .*$/gm)).toEqual(steps);
  expect(stdout).toContain(`${url} is ready`);
  expect(stdout).toMatch(/^ {2}disposition applied, version 1$/m);
  expect(stdout).toMatch(/^ {2}webhook-signature: v1,\S+$/m);
  expect(stdout).toMatch(/^ {2}delivery delivered$/m);
  expect(stdout).toMatch(/^Done in \d+(\.\d)? s\.\n$/m);
  const { current } = await client.webhookSecret.get();
  expect(stdout).not.toContain(current);
  expect(stdout).not.toContain(apiKey);
});

// Breaks if a script cannot check the demo.
test('answers one JSON document, and its request is in the service', async () => {
  const report = await ivJson<DemoReport>(['demo'], naming(service()));
  expect(report).toMatchObject({
    service: { url: service().url, own: false },
    output: { status: 'applied', version: 1 },
    webhook: { verified: true, headers: { 'verification-version': '1' } },
    state: 'complete',
    delivery_status: 'delivered',
    api_channel: null, // the payers of a running service are real
    seconds: expect.any(Number),
  });
  const request = await service().client.requests.get({ request_id: report.request_id });
  expect(request).toMatchObject({ state: 'complete', input: { payer_info: { name: 'Acme Dental' } } });
});

test('without IV_URL it plays on the service that runs here', async () => {
  const { url, apiKey, dataDir } = service();
  const report = await ivJson<DemoReport>(['demo'], { DATA_DIR: dataDir, IV_API_KEY: apiKey });
  expect(report.service).toEqual({ url, own: false });
});

// Breaks if the demo waits for a webhook that cannot come without saying why.
test('an output that is not believed ends with 1', async () => {
  const { key } = await service().client.keys.create({
    account_id: DEFAULT_ACCOUNT_ID,
    scopes: ['requests', 'secrets'],
  });
  const refused = await iv(['demo'], { IV_URL: service().url, IV_API_KEY: key });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('No webhook came within');
  expect(refused.stderr).toContain('the service says: no delivery.');
}, 60_000);

test('a wrong key for a running service ends with 1', async () => {
  const refused = await iv(['demo', '--json'], { IV_URL: service().url, IV_API_KEY: 'ivk_live_wrong' });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('refused the API key (401)');
});

// Breaks if `npx -y pnpm@12 demo` leaves a service, a database or a folder there, or touches the configured database.
test('starts a service of its own where none answers, and leaves nothing', async () => {
  const folder = aFolder();
  const env = {
    IV_URL: await aSilentUrl(),
    TMPDIR: folder,
    DATABASE_URL: 'postgres://x:y@127.0.0.1:1/not-this-one',
  };
  const { exitCode, stdout, stderr } = await ivProcess(['demo'], env);
  expect(stderr).toMatch(
    /^No service answers at \S+; starting one for this demo\.\nStopping the service of this demo\./,
  );
  expect(exitCode).toBe(0);
  expect(stdout.match(/^\d\. .*$/gm)).toEqual([
    ...steps,
    '8. The same over the API channel, without a verifier',
  ]);
  expect(stdout).toMatch(/^ {2}Active +GOLD PPO +Payer Plan 4 +\d{4}-01-01 +- +D0120 D1110 +api$/m);
  expect(stdout).toMatch(/^ {2}state {6}complete, [\d.]+ s from the request to its webhook$/m);
  const url = /(http:\S+) is ready, started for this demo$/m.exec(stdout)?.[1] ?? '';
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  expect(readdirSync(folder).filter((name) => name.startsWith('iv-demo-'))).toEqual([]);
}, 90_000);

test('what answers at the address but is not such a service is not touched', async () => {
  const other = createServer((_req, res) => res.end('<html>another program</html>')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const report = await ivJson<DemoReport>(['demo'], { IV_URL: url, TMPDIR: aFolder() }, ivProcess);
  expect(report.service.own).toBe(true);
}, 90_000);

// Breaks if Ctrl-C in the middle leaves a running service or its folder.
test('Ctrl-C stops the service it started and removes its folder', async () => {
  const folder = aFolder();
  const child = startIv(['demo'], { IV_URL: await aSilentUrl(), TMPDIR: folder });
  // A negative pid belongs to the program that creates the cluster.
  const pid = await until('its database is starting', async () => {
    const [file] = globSync('iv-demo-*/postgres/cluster/postmaster.pid', { cwd: folder });
    return file !== undefined && /^[1-9]\d*(?=\n)/.exec(readFileSync(join(folder, file), 'utf8'))?.[0];
  });
  const ended = once(child, 'close');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  await ended;
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  expect(readdirSync(folder).filter((name) => name.startsWith('iv-demo-'))).toEqual([]);
}, 90_000);

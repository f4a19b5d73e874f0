import { once } from 'node:events';
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { layCluster } from '@insurance-verification/store/testing/lay-cluster';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { sampleOutput, sampleRequest } from '../src/demo/sample-request.ts';
import { startTestService } from './a-service.ts';
import { ivJson, ivProcess, startIv } from './iv.ts';

/** Starts the service on its embedded database. What is not delivered is soon due again, however long a backup takes. */
async function startOn(dataDir: string) {
  const env = { ENCRYPTION_KEY: '', WEBHOOK_RETRY_SCHEDULE: `0s${',5s'.repeat(30)}` };
  if (!existsSync(dataDir)) layCluster(dataDir);
  const service = await startTestService({ dataDir, env }); // it keeps its own key
  onTestFinished(async () => void (await service.stop()));
  return service;
}

// Breaks if a lost folder loses the promised deliveries, or its restore makes up another message.
test('what was due at a backup is delivered after its restore, a second time if it was in between', async () => {
  const root = aFolder();
  const [dataDir, backup] = [join(root, 'data'), join(root, 'backups', 'monday')];
  const receiver = await aReceiver({ status: 500 });
  const first = await startOn(dataDir);
  const request = await first.client.requests.create(sampleRequest(DEFAULT_PAYERS[0], receiver.url));
  await first.client.verificationOutput.submit(sampleOutput(request));
  await until('the first attempt was made', () => receiver.received.length > 0);

  const backedUp = await ivProcess(['backup', backup], { DATA_DIR: dataDir });
  expect(backedUp).toEqual({
    exitCode: 0,
    stdout: `${backup}\n`,
    stderr: expect.stringMatching(
      /^Backed up \S+: \d+\.\d MB\.\nIts encryption-key opens it: keep that file apart/,
    ),
  });
  const request_id = request.request_id ?? '';
  receiver.behave({ status: 204 });
  await first.client.requests.redeliver({ request_id });
  await until('it was delivered', async () => {
    const { items } = await first.client.requests.deliveries({ request_id });
    return items[0]?.status === 'delivered';
  });
  const deliveredCount = receiver.received.length;
  const later = await first.client.requests.create(sampleRequest(DEFAULT_PAYERS[0], receiver.url));
  await first.stop();
  rmSync(dataDir, { recursive: true });

  const restored = await ivProcess(['restore', backup], { DATA_DIR: dataDir });
  expect(restored).toMatchObject({ exitCode: 0, stdout: `${dataDir}\n` });
  const second = await startOn(dataDir);
  await until('it was delivered again', () => receiver.received.length > deliveredCount);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  const served = await second.client.requests.get({ request_id });
  expect(served).toMatchObject({ state: 'complete', input: request.input });
  await expect(second.client.requests.get({ request_id: later.request_id ?? '' })).rejects.toThrow(
    'nothing has this id',
  );
  await second.client.requests.create(sampleRequest(DEFAULT_PAYERS[0], receiver.url));
}, 120_000);

test('restore refuses to write over a database, and tells of a key that it does not have', async () => {
  const root = aFolder();
  const [dataDir, backup] = [join(root, 'data'), join(root, 'backup')];
  const { stop } = await startOn(dataDir);
  await stop();
  const made = await ivJson<{ secrets: string[] }>(['backup', backup], { DATA_DIR: dataDir }, ivProcess);
  expect(made.secrets).toEqual(expect.arrayContaining([join('postgres', 'password'), 'encryption-key']));

  const refused = await ivProcess(['restore', backup], { DATA_DIR: dataDir });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^The restore failed: \S+ is there already\. Move it away, or give another DATA_DIR\.\n/,
  );

  rmSync(join(backup, 'encryption-key'));
  const other = join(root, 'other');
  const restored = await ivProcess(['restore', backup], { DATA_DIR: other });
  expect(restored).toMatchObject({ exitCode: 0 });
  expect(restored.stderr).toContain(
    `Put it back at ${join(other, 'encryption-key')}, or start with ENCRYPTION_KEY.`,
  );
}, 60_000);

// Broke: Ctrl-C left an orphaned PostgreSQL running, and half a copy beside the target.
test('a backup that is interrupted stops the server that it started and leaves nothing', async () => {
  const root = aFolder();
  const [dataDir, backup] = [join(root, 'data'), join(root, 'backup')];
  const { stop } = await startOn(dataDir);
  await stop();
  const child = startIv(['backup', backup], { DATA_DIR: dataDir });
  const [ended, said] = [once(child, 'exit'), text(child.stderr)];
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  await until('its server starts', async () => existsSync(pidFile));
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(await said).toBe('The backup failed: ended by SIGINT, and nothing is left of it\n');
  expect(existsSync(pidFile)).toBe(false);
  expect(readdirSync(root)).toEqual(['data']);
}, 60_000);

// Broke: Ctrl-C left half a database.
test('a restore that is interrupted leaves nothing that the next one, or a start, would meet', async () => {
  const root = aFolder();
  const [dataDir, backup, other] = ['data', 'backup', 'other'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const { stop } = await startOn(dataDir);
  await stop();
  await ivProcess(['backup', backup], { DATA_DIR: dataDir });
  const child = startIv(['restore', backup], { DATA_DIR: other });
  const [ended, said] = [once(child, 'exit'), text(child.stderr)];
  await until(
    'it lays files out',
    async () => globSync('postgres/initialising-*/*', { cwd: other }).length > 0,
  );
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(await said).toBe('The restore failed: ended by SIGINT, and nothing is left of it\n');
  expect(globSync('{*,postgres/*}', { cwd: other })).toEqual(['postgres', 'postgres/owner.lock']);
  expect(await ivProcess(['restore', backup], { DATA_DIR: other })).toMatchObject({ exitCode: 0 });
}, 120_000);

test.each([
  ['backup', 'pg_dump'],
  ['restore', 'pg_restore'],
])('%s is not for a database of one’s own, and names what is', async (command, tool) => {
  const folder = join(aFolder(), 'new');
  const refused = await ivProcess([command, folder], {
    DATABASE_URL: 'postgres://user:hunter2@db.example/x',
  });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`${tool} does it for a PostgreSQL of your own.`);
  expect(existsSync(folder)).toBe(false);
});

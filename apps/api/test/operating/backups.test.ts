import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRestClient, UnauthorizedError } from '@insurance-verification/client';
import {
  checkCatalogue,
  createSealKey,
  migrate,
  openSealFile,
  readSealKey,
  sealLines,
  verifySeals,
  withAudit,
} from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aServiceOn, type ServiceOn } from './a-service-on.ts';
import { commandsOf, runAsShown } from './guide.ts';
import { aMachineServer, machinePostgres, notRunWithoutPostgres, startCluster } from './machine-postgres.ts';

const idOf = (request: { request_id: string | null }) => request.request_id ?? '';

/** A request whose result is being delivered to `callback_url`. */
async function aFinishedRequest({ client }: ServiceOn, callback_url: string) {
  const request = await client.requests.create(aRequest({ callback_url }));
  await client.verificationOutput.submit(anOutput(request));
  return request;
}

async function aVerificationDatabase(settings?: string) {
  const server = await aMachineServer(settings);
  await server.ask('create role verification login');
  await server.ask('create database verification owner verification');
  const databaseUrl = server.url('verification', 'verification');
  const env = { ...server.env, DATABASE_URL: databaseUrl, ADMIN_URL: server.url('postgres') };
  const run = (name: string, more: Record<string, string> = {}) =>
    runAsShown(commandsOf('backups.md', name), {
      cwd: server.folder,
      env: { ...env, ...more },
      ...server.user,
    });
  return { server, databaseUrl, run };
}

// Breaks if an operator who follows the guide restores an unusable database, or one that delivers under new ids.
test.skipIf(machinePostgres === undefined)(
  `a dump of the guide is restored by it, and what was due is delivered under the same id${notRunWithoutPostgres}`,
  async () => {
    const { server, databaseUrl, run } = await aVerificationDatabase();
    const receiver = await aReceiver({ status: 500 });
    const first = await aServiceOn(databaseUrl);
    const request = await aFinishedRequest(first, receiver.url);
    await receiver.first(1);
    const unanswered = await first.client.requests.create(aRequest());
    run('dump');
    // What remains for an operator without the master key: nothing else is stored in clear.
    runAsShown(commandsOf('upgrades.md', 'lost-master-key'), {
      cwd: server.folder,
      env: { ...server.env, DATABASE_URL: databaseUrl },
      ...server.user,
    });
    const owed = readFileSync(join(server.folder, 'owed.csv'), 'utf8').trim().split('\n');
    expect(owed).toEqual(['account_id,id,received_at', expect.stringContaining(idOf(unanswered))]);
    await first.stop();

    receiver.behave({ status: 204 });
    const restoredUrl = server.url('restored', 'verification');
    run('restore', { RESTORED_URL: restoredUrl });
    await server.ask('drop database verification');
    const { client } = await aServiceOn(restoredUrl);
    await until('it was delivered', async () => {
      const { items } = await client.requests.deliveries({ request_id: idOf(request) });
      return items[0]?.status === 'delivered';
    });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    const served = await client.requests.get({ request_id: idOf(request) });
    expect(served).toMatchObject({ state: 'complete', input: request.input });
  },
  120_000,
);

// Broke: an untouched audit counted as altered after every dump and restore (packages/store: line-record.ts).
test.skipIf(machinePostgres === undefined)(
  `the audit of a restored dump is as it was sealed${notRunWithoutPostgres}`,
  async () => {
    const { server, databaseUrl, run } = await aVerificationDatabase();
    await migrate({ connectionString: databaseUrl });
    await server.ask(
      `insert into access_log (key_id, operation, outcome, details)
       select 'key_' || n, 'requests.get', case n % 5 when 0 then 'refused' else 'done' end, '{"n":' || n || '}'
       from generate_series(1, 50) as n`,
      'verification',
    );
    const key = readSealKey(createSealKey());
    const file = openSealFile(join(aFolder(), 'seals.jsonl'));
    await withAudit(databaseUrl, async (audit) => {
      while ((await sealLines(audit, { key, file, lineCountMax: 20 })).kind === 'sealed');
    });
    run('dump');
    const restoredUrl = server.url('restored', 'verification');
    run('restore', { RESTORED_URL: restoredUrl });
    await withAudit(restoredUrl, async (audit) => {
      const verdict = await verifySeals(audit, { keys: key.verifiers, after: 0 });
      expect(verdict).toMatchObject({ kind: 'verified', sealCount: 3, lineCount: 50, isEnd: true });
      expect(await checkCatalogue(audit.db)).toEqual([]);
      expect(await sealLines(audit, { key, file })).toEqual({ kind: 'none' });
    });
  },
  120_000,
);

// Breaks if the guide's table differs from what happens.
test.skipIf(machinePostgres === undefined)(
  `after a return to a point in time everything is as the guide says${notRunWithoutPostgres}`,
  async () => {
    const settings = commandsOf('backups.md', 'archive-settings').replaceAll('$BACKUPS', 'FOLDER');
    const { server, databaseUrl, run } = await aVerificationDatabase(settings);
    const away = await aReceiver({ status: 500 });
    const receiver = await aReceiver();
    const first = await aServiceOn(databaseUrl);
    run('base-backup');
    const undelivered = await aFinishedRequest(first, away.url);
    await away.first(1);
    const unverified = await first.client.requests.create(aRequest({ callback_url: receiver.url }));
    const { items: accounts } = await first.client.accounts.list({});
    const account_id = accounts[0]?.account_id ?? '';
    const made = await first.client.keys.create({ account_id, scopes: ['requests'] });
    const secret = await first.client.webhookSecret.get();
    const waiting = await first.client.requests.create(aRequest());
    const [moment] = await server.ask('select now()::text as now');

    away.behave({ status: 204 });
    await first.client.requests.redeliver({ request_id: idOf(undelivered) });
    await away.first(2);
    await first.client.verificationOutput.submit(anOutput(unverified));
    await receiver.first(1);
    const later = aRequest({ callback_url: receiver.url });
    const options = { idempotencyKey: 'posted-after-the-moment' };
    const lost = await first.client.requests.create(later, options);
    await first.client.keys.revoke({ key_id: made.key_id });
    const madeLater = await first.client.keys.create({ account_id, scopes: ['requests'] });
    await first.client.webhookSecret.rotate();
    const { lease_token } = await first.client.work.claimRequest({
      request_id: idOf(waiting),
      channels: ['manual_web_portal'],
    });
    await first.stop();
    const [last] = await server.ask('select pg_walfile_name(pg_switch_wal()) as wal');
    await until('the log is in the archive', async () => {
      const [row] = await server.ask('select last_archived_wal as wal from pg_stat_archiver');
      return String(row?.['wal']) >= String(last?.['wal']);
    });

    const cluster = join(server.folder, 'restored');
    run('point-in-time', { RESTORED: cluster, MOMENT: String(moment?.['now']) });
    const restored = await startCluster({ ...server, cluster });
    const { client, url } = await aServiceOn(restored.url('verification', 'verification'));

    // A result existed and was delivered: the same message comes a second time.
    await away.first(3);
    const [, second, third] = away.received;
    expect(third).toMatchObject({
      body: second?.body,
      headers: { 'webhook-id': second?.headers['webhook-id'] },
    });
    // A result was submitted and delivered: it is verified again, as another message.
    expect(await client.requests.get({ request_id: idOf(unverified) })).toMatchObject({ state: 'pending' });
    await client.verificationOutput.submit(anOutput(unverified));
    const [before, again] = await receiver.first(2);
    expect(again?.headers['verification-version']).toBe('1');
    expect(again?.headers['webhook-id']).not.toBe(before?.headers['webhook-id']);
    // A request was posted: it is unknown, and new when posted again.
    await expect(client.requests.get({ request_id: idOf(lost) })).rejects.toMatchObject({
      problemCode: 'not_found',
    });
    const repeated = await client.requests.create(later, options);
    expect(idOf(repeated)).not.toBe(idOf(lost));
    // A key was revoked: it works again.
    const revoked = createRestClient({ url, apiKey: made.key });
    await revoked.requests.list({});
    // A key was made, a secret rotated: the key is unknown, and the earlier secret signs again.
    const unknown = createRestClient({ url, apiKey: madeLater.key });
    await expect(unknown.requests.list({})).rejects.toThrow(UnauthorizedError);
    expect(await client.webhookSecret.get()).toEqual(secret);
    // A lease was given: its token is refused, and the request is claimed again.
    await expect(client.work.heartbeat({ request_id: idOf(waiting), lease_token })).rejects.toMatchObject({
      problemCode: 'lease_lost',
    });
    await client.work.claimRequest({ request_id: idOf(waiting), channels: ['manual_web_portal'] });
  },
  120_000,
);

import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { connectionCountOf } from '../../../src/config/process-size.ts';
import { aTableLock } from '../../a-table-lock.ts';
import { rows } from '../../rows.ts';
import { send } from '../../send.ts';
import { addressIn } from '../a-process.ts';
import { aTerminal } from '../a-terminal.ts';
import { aSupervised, childrenOf, isGone, PAYERS, POOL_MAX, workerOf } from './a-supervised.ts';
import { postSteadily } from './post-steadily.ts';
import { watchSessions } from './watch-sessions.ts';

const patience = { timeout: 240_000 };

/** The values of a metric, by worker. */
async function valuesOf(url: string, metric: string, label = ''): Promise<Record<string, number>> {
  const { text } = await send('GET', `${url}/metrics`);
  const found = text.matchAll(new RegExp(`^${metric}\\{[^}]*${label}[^}]*worker="([^"]+)"\\} (\\d+)$`, 'gm'));
  return Object.fromEntries([...found].map(([, worker = '', value]) => [worker, Number(value)]));
}

// Each part breaks something of its own; they share a service, since it takes seconds to start.
test('workers share a port, and whatever happens to one is not felt', patience, async () => {
  const supervised = await aSupervised(2);
  const { url, pid, databaseUrl, lines, next, payersFile, service } = supervised;

  // One start, however many processes: a person finds one banner, a supervisor one line.
  expect(lines('listening')).toHaveLength(1);
  expect(lines('migrated')).toHaveLength(0); // the template of the tests is
  expect(readdirSync(join(payersFile, '../running'))).toHaveLength(1);

  // Connections go to whichever worker has taken its last one, and a scrape of the one port tells of all.
  await until('each worker has answered some', async () => {
    await Promise.all(Array.from({ length: 30 }, () => send('GET', `${url}/readyz`)));
    const answered = await valuesOf(url, 'ivs_http_seconds_count', 'operation="readyz"');
    return [1, 2].every((number) => (answered[number] ?? 0) >= 5);
  });
  expect(await valuesOf(url, 'ivs_worker_serving')).toEqual({ 1: 1, 2: 1 });
  const sessions = await watchSessions(databaseUrl);
  const posts = postSteadily(url);
  await posts.more(50);

  // A rolling restart, under way all the time.
  const before = [1, 2].map((number) => workerOf(pid, number));
  const replaced = next('all workers replaced');
  process.kill(pid, 'SIGUSR2');
  await replaced;
  await posts.more(50);
  expect(before.map(isGone)).toEqual([true, true]);
  expect(posts.failed).toEqual([]);

  // What a new worker cannot read leaves the old ones where they are.
  const stuck = next('a worker could not be replaced, so the others stay');
  writeFileSync(payersFile, '["one"]');
  process.kill(pid, 'SIGUSR2');
  expect((await stuck)['words']).toContain('PAYERS_FILE');
  writeFileSync(payersFile, PAYERS);
  await posts.more(50);
  expect(posts.failed).toEqual([]);

  // Killed, it takes what it was answering with it, and nothing else: not the connection that was on its way to it.
  const again = next('the worker serves again');
  const killed = workerOf(pid, 2);
  process.kill(killed, 'SIGSTOP');
  let answeredCount = 0;
  const calls = Array.from({ length: 4 }, async () => {
    const { status } = await send('GET', `${url}/livez`);
    answeredCount += 1;
    return status;
  });
  // One of them, unless a client above came first, is with the stopped worker.
  await until('the others are answered', () => answeredCount >= 3);
  process.kill(killed, 'SIGKILL');
  expect(await again).toMatchObject({ worker: 2 });
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200]);
  await posts.more(50);
  await posts.stop();

  // At its busiest it holds no more connections than `deploying.md` tells an operator to have.
  const lock = await aTableLock(databaseUrl, 'request', 'access exclusive');
  const path = `/requests/${posts.acknowledged[0]}`;
  const reads = Array.from({ length: 60 }, async () => {
    const { status } = await send('GET', `${url}${path}`, { headers: { 'x-key': API_KEY } });
    return status;
  });
  await lock.waitedForBy(2 * POOL_MAX);
  await lock.release();
  // Whoever had a connection is answered; a slow machine opens some later than the others may wait for one, and tells 503.
  const statuses = await Promise.all(reads);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2 * POOL_MAX);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const most = await sessions.stop();
  expect(most).toBeGreaterThanOrEqual(2 * (POOL_MAX + 2));
  expect(most).toBeLessThanOrEqual(connectionCountOf({ workers: 2, databasePoolMax: POOL_MAX }));
  expect(posts.failed.length).toBeLessThanOrEqual(3);
  const stored = await rows<{ id: string }>(databaseUrl, 'select id from request');
  const ids = new Set(stored.map(({ id }) => id));
  expect(posts.acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(await valuesOf(url, 'ivs_worker_deaths_total')).toEqual({ 1: 0, 2: 1 });

  const workers = [1, 2].map((number) => workerOf(pid, number));
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
  expect(workers.map(isGone)).toEqual([true, true]);
  expect(lines('stopped')).toHaveLength(1);
  expect(service.told().match(/Insurance Verification Service/g)).toHaveLength(1);
});

// Breaks if workers of a killed supervisor hold the port, or cut what they are answering.
test('workers whose supervisor was killed answer what is under way, and end', patience, async () => {
  const { url, pid } = await aSupervised(2);
  const workers = [1, 2].map((number) => workerOf(pid, number));
  const headers = { 'x-key': API_KEY, 'content-type': 'application/json', expect: '100-continue' };
  const post = request(`${url}/requests/`, { method: 'POST', headers });
  await once(post, 'continue'); // a worker has it
  process.kill(pid, 'SIGKILL');
  await until('the supervisor is gone', () => isGone(pid));
  post.end(JSON.stringify(aRequest()));
  const [answer] = (await once(post, 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
  await until('the workers ended', () => workers.every(isGone));
});

// Breaks if a closed terminal leaves workers, or the embedded database, without an owner.
test('in a terminal that closes the workers end, and the database with them', patience, async () => {
  const dataDir = aFolder();
  const terminal = aTerminal({ PORT: '0', WORKERS: '2', DATA_DIR: dataDir });
  const url = await addressIn(dataDir);
  await until('it is ready', async () => (await send('GET', `${url}/readyz`)).status === 200);
  const children = childrenOf(terminal.pid);
  expect(children.length).toBeGreaterThanOrEqual(3); // the database too, and maybe the console's build
  terminal.close();
  await until('all are gone', () => [terminal.pid, ...children].every(isGone));
});

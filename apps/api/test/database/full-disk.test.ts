import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, test, vi } from 'vitest';
import { aService, type TestService } from '../a-service.ts';
import { aSmallDisk } from './a-small-disk.ts';
import { anOwnServer } from './an-own-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

const create = (service: TestService) => service.ask('POST', '/requests/', { body: aRequest() });
const readyStatus = async (service: TestService) =>
  (await service.ask('GET', '/readyz', { key: null })).status;
const linesWith = (service: TestService, words: string) =>
  service.logLines.filter((line) => line.includes(words));

/** The fault's value in /metrics; undefined without one. */
async function faultOf(service: TestService, code: string): Promise<string | undefined> {
  const { text } = await service.ask('GET', '/metrics');
  return new RegExp(`^ivs_database_fault\\{code="${code}"\\} (\\d+)$`, 'm').exec(text)?.[1];
}

// Broke: every create was 503 while `/readyz` stayed 200, and 1,400 log lines had `53100` in a stack and no word.
test('a full disk of the database is one line, and the process is not ready until it takes a page again', async () => {
  const disk = await aSmallDisk(await anOwnServer());
  const service = await aService({ databaseUrl: disk.connectionString });
  expect((await create(service)).status).toBe(200);
  expect(await readyStatus(service)).toBe(200);
  await disk.fill();

  await until('a request is refused', async () => (await create(service)).status === 503);
  await until('it is not ready', async () => (await readyStatus(service)) === 503);
  for (let call = 0; call < 40; call += 1) {
    const { status, headers } = await create(service);
    if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(await readyStatus(service)).toBe(503);
  }
  expect((await service.ask('GET', '/livez', { key: null })).status).toBe(200);
  expect(await faultOf(service, '53100')).toBe('1');
  expect(linesWith(service, "the database's disk is full (53100)")).toHaveLength(1);
  // The first calls may fail before the probe has said why.
  expect(linesWith(service, '"msg":"failed"').length).toBeLessThanOrEqual(2);

  await disk.free();
  await until('it is ready', async () => (await readyStatus(service)) === 200);
  expect((await create(service)).status).toBe(200);
  expect(await faultOf(service, '53100')).toBeUndefined();
  expect(linesWith(service, 'takes writes again')).toHaveLength(1);
});

// Broke: as with a full disk, until the server noticed, up to a minute later, that it has no folder any more.
test('a data folder that is gone is one line, and the process is not ready until it is back', async () => {
  const server = await anOwnServer();
  const service = await aService({ databaseUrl: server.connectionString });
  expect((await create(service)).status).toBe(200);
  const folders = ['base', 'global'].map((name) => join(server.clusterDir, name));
  for (const folder of folders) renameSync(folder, `${folder}.gone`);

  await until('it is not ready', async () => {
    await Promise.all(Array.from({ length: 20 }, () => create(service)));
    return (await readyStatus(service)) === 503;
  });
  const { status, headers } = await service.ask('GET', '/readyz', { key: null });
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  expect(await faultOf(service, '58P01')).toBe('1');
  expect(linesWith(service, 'is gone (58P01)')).toHaveLength(1);
  for (const folder of folders) renameSync(`${folder}.gone`, folder);
  await until('it is ready', async () => (await readyStatus(service)) === 200);
  expect((await create(service)).status).toBe(200);
});

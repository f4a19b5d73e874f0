import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestList, RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { beforeEach, describe, expect, test } from 'vitest';
import { aService, BOOTSTRAP_KEY, useService } from '../a-service.ts';
import { aTableLock } from '../a-table-lock.ts';
import { rows } from '../rows.ts';

// An unhandled rejection fails the run: vitest reports it, and it would end a process.

const service = useService();
beforeEach(() => rows(service.databaseUrl, 'truncate request cascade'));

const requestCount = async () =>
  (await rows<{ n: number }>(service.databaseUrl, 'select count(*)::int as n from request'))[0]?.n;
const lines = (operation: string) =>
  service.logLines.filter((line) => line.includes(`"operation":"${operation}"`));

describe.each([
  ['/requests/', 'requests.create'],
  ['/trpc/requests.create', 'requests.create'],
])('POST %s', (path, operation) => {
  const body = JSON.stringify(aRequest());
  const headers = (key: string) => [
    `x-key: ${BOOTSTRAP_KEY}`,
    `idempotency-key: ${key}`,
    `content-length: ${body.length}`,
  ];

  // An incomplete request leaves nothing.
  test('a client gone in the middle of its body leaves no row', async () => {
    const before = lines(operation).length;
    const connection = aConnection(service.url);
    connection.write(
      head(`POST ${path}`, [...headers('gone-in-the-body'), 'expect: 100-continue']) + body.slice(0, 50),
    );
    await connection.heard('100 Continue');
    connection.cut();
    await until('the call is logged', () => lines(operation).length > before);
    expect(await requestCount()).toBe(0);
  });

  // The client was never answered; its retry finds the stored request.
  test('a client gone before its answer finds its request again by its Idempotency-Key', async () => {
    const before = lines(operation).length;
    const connection = aConnection(service.url);
    connection.write(head(`POST ${path}`, headers(`gone-before-the-answer${path}`)) + body);
    await until('the request is stored', async () => (await requestCount()) === 1 || undefined);
    connection.cut();
    await until('the call is logged', () => lines(operation).length > before);
    const retry = await service.ask('POST', '/requests/', {
      body: aRequest(),
      headers: { 'idempotency-key': `gone-before-the-answer${path}` },
    });
    expect(retry).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true' } });
    const { items } = await service.answer<RequestList>('GET', '/requests/');
    expect(items).toEqual([retry.json as RequestModel]);
  });

  // Broke: a log full of 200 that nobody got.
  test('a client gone before its answer is logged as 499', async () => {
    const before = lines(operation).length;
    const lock = await aTableLock(service.databaseUrl, 'request');
    const connection = aConnection(service.url);
    connection.write(head(`POST ${path}`, headers(`gone-while-locked${path}`)) + body);
    await lock.waitedForBy(1);
    connection.cut();
    await service.ask('GET', '/livez'); // what came before it has been read: the end of the connection
    await lock.release();
    await until('the call is logged', () => lines(operation).length > before);
    expect(lines(operation).at(-1)).toContain('"status":499');
  });

  // A disconnect may come at any moment.
  test('clients gone some turns after the last byte leave at most one row for each Idempotency-Key', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `gone-at-any-moment-${path}-${index}`);
    for (const key of [...keys, ...keys, ...keys]) {
      const connection = aConnection(service.url);
      connection.write(head(`POST ${path}`, headers(key)) + body);
      for (let turn = 0; turn < keys.indexOf(key) * 3; turn += 1) await nextTurn();
      connection.cut();
    }
    for (const key of keys) {
      const retry = () =>
        service.ask('POST', '/requests/', { body: aRequest(), headers: { 'idempotency-key': key } });
      await until('the retry is answered', async () => (await retry()).status === 200);
    }
    expect(await requestCount()).toBe(keys.length);
  });
});

test('the process logged no failure', () => {
  expect(service.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

// Broke: a refused upload whose sender never sent the rest held a stop up for the 21 s of a drain.
test(
  'a client that was refused and sends nothing more does not hold up a stop',
  { timeout: 15_000 },
  async () => {
    const other = await aService();
    const connection = aConnection(other.url);
    connection.write(`${head('POST /requests/', ['x-key: wrong', 'content-length: 1000'])}{`);
    expect(await connection.answer()).toMatchObject({ status: 401 });
    await other.stop();
    await connection.closed();
  },
);

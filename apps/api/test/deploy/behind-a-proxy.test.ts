import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Batch } from '@insurance-verification/schema';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aService, BOOTSTRAP_KEY } from '../a-service.ts';
import { rows } from '../rows.ts';
import { send } from '../send.ts';
import { PROXIES } from './a-proxy.ts';
import { askOverTls } from './ask-over-tls.ts';
import { isThere, notRunWithout } from './is-there.ts';
import { postSteadily } from './post-steadily.ts';
import { aProductionRequest, twoInstances } from './two-instances.ts';

/** What a proxy's file says, and what the test makes of it: a frozen process holds a call for so long. */
const ANSWERS_WITHIN = {
  nginx: { 'proxy_read_timeout 30s': 'proxy_read_timeout 3s' },
  haproxy: { 'timeout server 30s': 'timeout server 3s' },
};

/** For how long a process is left out that refused a connection. */
const LEFT_OUT = { nginx: { 'fail_timeout=10s': 'fail_timeout=1s' }, haproxy: {} };

const portOf = (url: string) => Number(new URL(url).port);

for (const proxy of ['nginx', 'haproxy'] as const) {
  const tools = [proxy, 'openssl', 'curl'];
  describe.skipIf(!tools.every(isThere))(`behind ${proxy}${notRunWithout(...tools)}`, () => {
    // Breaks if the file that operators copy loses calls, hides callers' addresses, or exposes internal endpoints.
    test('two processes serve as one, over TLS, and know who calls', async () => {
      const databaseUrl = (await createTestDatabase()).connectionString;
      const env = { TRUSTED_PROXIES: '127.0.0.1/32' };
      const first = await aService({ databaseUrl, env });
      const second = await aService({ databaseUrl, env });
      const url = await PROXIES[proxy]({ ports: [portOf(first.url), portOf(second.url)] });
      const create = () => askOverTls('POST', `${url}/requests/`, { 'x-key': BOOTSTRAP_KEY }, aRequest());
      expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill(200));

      const forged = {
        'x-key': 'ivk_live_wrong',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      expect(await askOverTls('GET', `${url}/requests/`, forged)).toBe(401);
      const lines = [...first.logLines, ...second.logLines];
      const refused = lines.filter((line) => line.includes('"status":401'));
      expect(refused.map((line) => (JSON.parse(line) as { client_address: string }).client_address)).toEqual([
        '127.0.0.7',
      ]);
      expect(await askOverTls('GET', `${url}/metrics`)).toBe(404);
      const tooLarge = 'x'.repeat(1_500_000);
      expect(await askOverTls('POST', `${url}/requests/`, { 'x-key': BOOTSTRAP_KEY }, tooLarge)).toBe(413);

      await first.stop();
      expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill(200));
    }, 60_000);

    // Breaks if an agent's next call reaches a process that has neither its session nor its lease.
    test('each key of an agent keeps to one process, in either header', async () => {
      const databaseUrl = (await createTestDatabase()).connectionString;
      const first = await aService({ databaseUrl });
      const second = await aService({ databaseUrl });
      const url = await PROXIES[proxy]({ ports: [portOf(first.url), portOf(second.url)] });
      const answeredBy = () =>
        [first, second].map(
          ({ logLines }) => logLines.filter((line) => line.includes('"operation":"mcp"')).length,
        );
      const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const accept = 'application/json, text/event-stream';
      for (const key of [{ 'x-key': BOOTSTRAP_KEY }, { authorization: `Bearer ${BOOTSTRAP_KEY}` }]) {
        const before = answeredBy();
        for (let count = 0; count < 8; count += 1)
          expect(await askOverTls('POST', `${url}/mcp`, { accept, ...key }, listTools)).toBe(200);
        const counts = answeredBy().map((count, index) => count - (before[index] ?? 0));
        expect(counts.toSorted((a, b) => a - b)).toEqual([0, 8]);
      }
    }, 60_000);

    // Breaks if the proxy refuses a file of more than 2 MB, or keeps it until its last byte.
    test('a file of rows reaches a process as it comes', async () => {
      const databaseUrl = (await createTestDatabase()).connectionString;
      const [first, second] = [await aService({ databaseUrl }), await aService({ databaseUrl })];
      const url = await PROXIES[proxy]({ ports: [portOf(first.url), portOf(second.url)] });
      const row = `${JSON.stringify({ ...aRequest(), later_member: 'x'.repeat(60_000) })}\n`;
      const sending = request(`${url}/batches`, {
        method: 'POST',
        rejectUnauthorized: false,
        headers: {
          'x-key': BOOTSTRAP_KEY,
          'idempotency-key': 'through a proxy',
          'content-type': 'application/x-ndjson',
          'content-length': 1_100 * row.length,
        },
      });
      const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
      const write = async (count: number) => {
        for (let sent = 0; sent < count; sent += 1) if (!sending.write(row)) await once(sending, 'drain');
      };
      await write(100);
      await until('rows are stored', async () => {
        const { items } = await first.answer<{ items: Batch[] }>('GET', '/batches');
        return (items[0]?.counters.received ?? 0) > 0;
      });
      await write(1_000);
      sending.end();
      const [answer] = await answered;
      expect(answer.statusCode).toBe(202);
      expect(await json(answer)).toMatchObject({ counters: { received: 1_100, rejected: 0 } });
    }, 120_000);

    // Breaks if a deployment, or a changed secret, costs callers an answer.
    test('a restart in turn fails no call', async () => {
      const instances = await twoInstances();
      const url = await PROXIES[proxy]({ ports: instances.ports, shorter: LEFT_OUT[proxy] });
      const before = [instances.first().pid, instances.second().pid];
      const posts = postSteadily(url);
      await posts.more(50);
      await instances.restartInTurn(2);
      await posts.more(50);
      await posts.stop();
      expect(posts.failed).toEqual([]);
      expect([instances.first().pid, instances.second().pid].some((pid) => before.includes(pid))).toBe(false);
      const stored = await rows<{ id: string }>(instances.databaseUrl, 'select id from request');
      expect(stored.map(({ id }) => id).toSorted()).toEqual(posts.acknowledged.toSorted());
    }, 120_000);

    // Breaks if a process that hangs, whose port still takes connections, gets calls for as long as it hangs.
    test('a frozen process is taken out, and used again when it continues', async () => {
      const instances = await twoInstances();
      const url = await PROXIES[proxy]({ ports: instances.ports, shorter: ANSWERS_WITHIN[proxy] });
      const first = instances.first();
      onTestFinished(() => first.signal('SIGCONT'));
      const create = () => askOverTls('POST', `${url}/requests/`, { 'x-key': API_KEY }, aProductionRequest());
      const oneByOne = async (count: number) => {
        const statuses: number[] = [];
        while (statuses.length < count) statuses.push(await create());
        return statuses;
      };
      expect(await oneByOne(4)).toEqual(Array(4).fill(200));

      first.signal('SIGSTOP');
      const atOnce = await Promise.all(Array.from({ length: 8 }, create));
      expect(new Set(atOnce)).toEqual(new Set([200, 504]));
      await until('it is taken out', async () => (await oneByOne(5)).every((status) => status === 200));
      // In turn with the other one it would have ten of twenty. nginx gives it one in 10 s.
      expect((await oneByOne(20)).filter((status) => status !== 200).length).toBeLessThanOrEqual(1);

      first.signal('SIGCONT');
      const createdCount = async () => {
        const { text } = await send('GET', `${first.url}/metrics`);
        return Number(/^ivs_requests_received_total\{[^}]*\} (\d+)$/m.exec(text)?.[1]);
      };
      const count = await createdCount();
      // More than those that it held.
      await until('it serves again', async () => {
        await create();
        return (await createdCount()) > count + 8;
      });
    }, 120_000);
  });
}

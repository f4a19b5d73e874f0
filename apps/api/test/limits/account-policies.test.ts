import { problemOf, type CreatedApiKey } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { aService, type TestService, useService } from '../a-service.ts';
import { aTableLock } from '../a-table-lock.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

type Quotas = Record<string, { quota: number; window_seconds: number } | null>;

/** A key of a new account with its own quotas. */
async function aLimitedKey(policies: Quotas) {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  await service.answer('POST', `/accounts/${account_id}/limits`, { policies });
  const { key } = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id,
    scopes: ['requests', ...SCOPES],
  });
  return { account_id, key };
}
const SCOPES = ['operate'];

const exceeded = (policy: string) => problemOf('rate_limited', { violated_policies: [policy] });

describe.each(transports)('over $name', (transport) => {
  test('intake beyond its quota is 429, and every answer has the rest of the quota', async () => {
    const { key } = await aLimitedKey({ intake: { quota: 3, window_seconds: 3600 } });
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await transport.call(service, 'requests.create', aRequest(), { key });
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toBe('"intake";q=3;w=3600');
      // From the first call on, one unit returns every 1,200 s; the calls' own duration depends on the machine.
      const [, left, seconds] = /^"intake";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? [];
      expect(Number(left)).toBe(remaining);
      expect(Number(seconds)).toBeGreaterThan(1100);
      expect(Number(seconds)).toBeLessThanOrEqual(1200);
    }
    const refused = await transport.call(service, 'requests.create', aRequest(), { key });
    expect(refused.status).toBe(429);
    const body = refused.json as { error?: { data: { problem: unknown } } };
    expect(body.error?.data.problem ?? body).toEqual(exceeded('intake'));
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"intake";q=3;w=3600' });
    // The draft: Retry-After is no earlier than `t`.
    const [, seconds] = /^"intake";r=0;t=(\d+)$/.exec(String(refused.headers['ratelimit'])) ?? [];
    expect(Number(seconds)).toBeGreaterThan(1000);
    expect(refused.headers['retry-after']).toBe(seconds);
    expect(
      Object.keys(refused.headers).filter((name) => /^(x-)?ratelimit-(limit|remaining|reset)/.test(name)),
    ).toEqual([]);
    // Other policies and other accounts have separate budgets.
    expect((await transport.call(service, 'requests.list', {}, { key })).status).toBe(200);
    const other = await aLimitedKey({});
    expect(
      (await transport.call(service, 'requests.create', aRequest(), { key: other.key })).headers,
    ).toMatchObject({
      'ratelimit-policy': '"intake";q=60000;w=60',
      // One unit was taken, and one returns each millisecond.
      ratelimit: expect.stringMatching(/^"intake";r=(?:59999|60000);t=1$/),
    });
  });

  test('reads cost the rows that they read', async () => {
    const { key } = await aLimitedKey({ reads: { quota: 100, window_seconds: 3600 } });
    for (let count = 0; count < 10; count += 1)
      await transport.call(service, 'requests.create', aRequest(), { key });
    const remaining = async () => {
      const { headers } = await transport.call(service, 'requests.list', { limit: 10 }, { key });
      return /r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
    };
    // Each reports its remaining budget before its own rows are known.
    expect([await remaining(), await remaining(), await remaining()]).toEqual(['99', '89', '79']);
  });

  test('redeliveries of all that is exhausted are six a minute', async () => {
    const { key } = await aLimitedKey({});
    const input = { since: '2026-01-01T00:00:00Z', dry_run: true };
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push((await transport.call(service, 'deliveries.redeliverExhausted', input, { key })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});

test('a secret is revealed ten times an hour to one key, whatever the others of its account do', async () => {
  const { account_id } = await anAccount(service);
  const [one, other] = [
    await aKey(service, ['secrets'], account_id),
    await aKey(service, ['secrets'], account_id),
  ];
  for (let count = 0; count < 10; count += 1)
    expect((await service.ask('GET', '/webhook-secret', { key: one })).status).toBe(200);
  const refused = await service.ask('POST', '/webhook-secret/rotate', { key: one });
  expect([refused.status, refused.json]).toEqual([429, exceeded('secret-reveal')]);
  expect((await service.ask('GET', '/webhook-secret', { key: other })).status).toBe(200);
});

// Without it a benchmark or a first try would hit a limit, or pay for its headers.
test('the default account has no policy until it is given one', async () => {
  const { headers } = await service.ask('POST', '/requests/', { body: aRequest() });
  expect(headers).not.toHaveProperty('ratelimit');
  const { headers: fromTrpc } = await service.ask('GET', '/trpc/requests.list');
  expect(fromTrpc).not.toHaveProperty('ratelimit-policy');
});

// In the order of answers, which varies between runs, two equal batches had different headers.
test('a batch over two policies names both, by name', async () => {
  const { key } = await aLimitedKey({});
  const { headers } = await service.ask(
    'POST',
    '/trpc/requests.create,deliveries.redeliverExhausted?batch=1',
    {
      key,
      body: { 0: aRequest(), 1: { since: '2026-01-01T00:00:00Z', dry_run: true } },
    },
  );
  expect(headers).toMatchObject({
    'ratelimit-policy': '"intake";q=60000;w=60, "redeliver-exhausted";q=6;w=60',
    ratelimit: expect.stringMatching(/^"intake";r=59999;t=1, "redeliver-exhausted";r=5;t=(10|\d)$/),
  });
});

// Without it a second process would mean a second budget.
test('two processes share a budget; set back in the database, it is there again', async () => {
  const rival = await aService({ databaseUrl: service.databaseUrl });
  const { account_id, key } = await aLimitedKey({ intake: { quota: 4, window_seconds: 3600 } });
  const post = async (to: TestService) =>
    (await to.ask('POST', '/requests/', { key, body: aRequest() })).status;
  expect([await post(service), await post(rival), await post(service), await post(rival)]).toEqual([
    200, 200, 200, 200,
  ]);
  expect([await post(service), await post(rival)]).toEqual([429, 429]);
  await rows(service.databaseUrl, `update rate_budget set tat = now() where subject = $1`, [account_id]);
  await until('the refusal is asked for anew', async () => (await post(rival)) === 200);
});

// Without it the limiter itself would stop intake.
test('a budget that the database does not give delays no call for long and refuses none', async () => {
  const { key } = await aLimitedKey({});
  expect((await service.ask('GET', '/requests/', { key })).status).toBe(200);
  const lock = await aTableLock(service.databaseUrl, 'rate_budget');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.ask('POST', '/requests/', { key, body: aRequest() })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await lock.release();
  const said = service.logLines.filter((line) => line.includes('this process decides alone'));
  expect(said).toHaveLength(1);
});

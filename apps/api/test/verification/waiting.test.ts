import { request } from 'node:http';
import { until } from '@insurance-verification/testing/until';
import { beforeAll, expect, test } from 'vitest';
import { aService, BOOTSTRAP_KEY, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { aRouteFile, claim } from './work.ts';

const PORTAL = 'agent_web_portal';
let env: Record<string, string>;
beforeAll(() => void (env = aRouteFile([PORTAL])));

/** The number of claim queries so far. */
const lookCount = async ({ databaseUrl }: TestService) => {
  const [row] = await rows<{ count: number }>(
    databaseUrl,
    `select xact_commit::int as count from pg_stat_database where datname = current_database()`,
  );
  return row?.count ?? 0;
};

// Without it an agent would poll constantly, or learn of work a second late.
test('a claim that waits is answered when a request comes, through this process or another', async () => {
  const [here, there] = await (async () => {
    const first = await aService({ env });
    return [first, await aService({ env, databaseUrl: first.databaseUrl })] as const;
  })();
  for (const from of [here, there]) {
    const waiting = claim(here, [PORTAL], { wait_seconds: 25 });
    const { request_id: requestId } = await aStoredRequest(from);
    expect((await waiting).map((item) => item.request.request_id)).toEqual([requestId]);
  }
});

test('of ten that wait each gets one of ten requests', async () => {
  const service = await aService({ env });
  const waiting = Array.from({ length: 10 }, () => claim(service, [PORTAL], { wait_seconds: 25 }));
  const made = await Promise.all(Array.from({ length: 10 }, () => aStoredRequest(service)));
  const items = (await Promise.all(waiting)).flat();
  expect(items.map((item) => item.request.request_id).toSorted()).toEqual(
    made.map(({ request_id: id }) => id).toSorted(),
  );
});

test('a claim that waits in vain is answered with nothing when its time is over', async () => {
  const service = await aService({ env });
  expect(await claim(service, [PORTAL], { wait_seconds: 1 })).toEqual([]);
});

// Without it a request would be leased to an absent verifier, and wait for the lease to expire.
test('a claim whose client went away leases nothing', async () => {
  const service = await aService({ env });
  const body = JSON.stringify({ channels: [PORTAL], wait_seconds: 25 });
  const before = await lookCount(service);
  const req = request(`${service.url}/work/claim`, {
    method: 'POST',
    headers: { 'x-key': BOOTSTRAP_KEY, 'content-type': 'application/json', 'content-length': body.length },
  });
  req.on('error', () => undefined); // the test destroys it below
  req.end(body);
  await until('it has looked', async () => (await lookCount(service)) > before + 2);
  req.destroy();
  await until('its call has ended', () => service.logLines.some((line) => line.includes('work.claim')));
  const { request_id: requestId } = await aStoredRequest(service);
  expect((await claim(service, [PORTAL])).map((item) => item.request.request_id)).toEqual([requestId]);
});

// Without it every deployment would wait for the longest poll.
test('stopping answers those who wait', async () => {
  const service = await aService({ env });
  const waiting = claim(service, [PORTAL], { wait_seconds: 25 });
  const before = await lookCount(service);
  await until('it has looked', async () => (await lookCount(service)) > before);
  await service.stop();
  expect(await waiting).toEqual([]);
});

import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, OWN_PAGE, type TestSession } from './a-session.ts';
import { anEventStream, type TestStream } from './an-event-stream.ts';

// What keeps open pages current: hints for those whom they concern, until the session or the process ends.

let service: TestService;
let other: TestService;
beforeAll(async () => {
  service = await startTestService({ env: BEHIND_A_PROXY });
  other = await startTestService({ env: BEHIND_A_PROXY, databaseUrl: service.databaseUrl });
}, 60_000);
afterAll(() => Promise.all([service.stop(), other.stop()]));

/** The session as a browser shows it to the other process: cookies are named by port. */
const atOther = ({ asked }: TestSession) => {
  const cookie = asked.headers['cookie']?.replace(new URL(service.url).port, new URL(other.url).port) ?? '';
  return { asked: { key: null, headers: { ...asked.headers, cookie } } };
};

test('it is a stream of events that no cache and no proxy keeps', async () => {
  const { answer } = await anEventStream(service, await aSession(service, { roles: ['verifier'] }));
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
});

test('only a session opens it, from the console’s own page', async () => {
  const { asked } = await aSession(service, { roles: ['verifier'] });
  const answers = await Promise.all([
    service.ask('GET', '/console/events', { headers: OWN_PAGE }),
    service.ask('GET', '/console/events', { ...asked, headers: { cookie: asked.headers['cookie'] ?? '' } }),
    service.ask('GET', '/console/events', {
      ...asked,
      headers: { ...asked.headers, 'sec-fetch-site': 'same-site' },
    }),
    service.ask('POST', '/console/events', asked),
    service.ask('HEAD', '/console/events', asked),
  ]);
  expect(answers.map(({ status, json }) => [status, (json as { code?: string } | undefined)?.code])).toEqual([
    [401, 'signed_out'],
    [403, 'cross_site'],
    [403, 'cross_site'],
    [405, 'method_not_allowed'],
    [200, undefined],
  ]);
});

test('everyone concerned learns of a request’s change, and nothing about it', async () => {
  const { account_id: accountId } = await anAccount(service);
  const key = await aKey(service, ['requests'], accountId);
  const requester = { roles: ['requester' as const] };
  const [own, others, verifier, admin] = await Promise.all([
    anEventStream(service, await aSession(service, { ...requester, account_id: accountId })),
    anEventStream(service, await aSession(service, requester)),
    anEventStream(service, await aSession(service, { roles: ['verifier'] })),
    anEventStream(service, await aSession(service, { roles: ['admin'] })),
  ]);
  await aStoredRequest(service, {}, key);
  await Promise.all([own.untilHinted('request'), verifier.untilHinted('work')]);
  await service.ask('POST', '/accounts', { body: { name: 'Later' } });
  await admin.untilHinted('access');
  expect(own.hints()).toEqual({});
  expect(others.hints()).toEqual({});
  expect(verifier.hints()).toEqual({});
});

test('an event has only kinds and counts, however much happens', async () => {
  const operator = await anEventStream(service, await aSession(service, { roles: ['operator'] }));
  const COUNT = 40;
  await Promise.all(Array.from({ length: COUNT }, () => aStoredRequest(service)));
  await until('all are hinted', () => (operator.hints().request ?? 0) >= COUNT);
  expect(operator.names().length).toBeLessThan(COUNT);
  expect(new Set(operator.names())).toEqual(new Set(['hints']));
});

// Two processes behind one balancer: the request comes to one, the page listens at the other.
test('what one process does reaches the pages of another', async () => {
  const operator = await anEventStream(other, atOther(await aSession(service, { roles: ['operator'] })));
  await until('the other process listens', async () => {
    await aStoredRequest(service);
    return operator.hints().request !== undefined;
  });
  expect(new Set(operator.names())).toEqual(new Set(['hints']));
});

test('it ends when the session is ended, by its person or an admin, in every process', async () => {
  const sessions = await Promise.all([1, 2].map(() => aSession(service, { roles: ['requester'] })));
  const streams = await Promise.all(sessions.map((session) => anEventStream(other, atOther(session))));
  const [first, second] = sessions;
  await consoleTransport.call(service, 'sessions.end', { session_id: first?.session_id }, first?.asked);
  await service.ask('POST', `/staff/${second?.staff_id}/end`);
  for (const stream of streams) {
    await until('it ends', stream.hasEnded);
    expect(stream.names().at(-1)).toBe('ended');
  }
});

test('it ends when the session ends of idleness, which an open page does not delay', async () => {
  const session = await aSession(service, { roles: ['requester'] });
  const stream = await anEventStream(service, session);
  await rows(
    service.databaseUrl,
    `update staff_session set used_at = used_at - interval '16 minutes' where id = $1`,
    [session.session_id],
  );
  await until('it ends', stream.hasEnded);
  // A request of an earlier test may have its hint late.
  expect(stream.names().at(-1)).toBe('ended');
});

test('other roles get hints of other things from then on, without a new stream', async () => {
  const session = await aSession(service, { roles: ['auditor'] });
  const stream = await anEventStream(service, session);
  await service.answer('POST', `/staff/${session.staff_id}/roles`, { roles: ['operator'] });
  await until('the page hears of it', () => stream.names().includes('person'));
  await aStoredRequest(service);
  await stream.untilHinted('request');
  expect(stream.hasEnded()).toBe(false);
});

test('a session has twenty streams at most, and the newest stay', async () => {
  const session = await aSession(service, { roles: ['operator'] });
  const streams: TestStream[] = [];
  for (let count = 0; count < 21; count += 1) streams.push(await anEventStream(service, session));
  await until('the oldest ends', () => streams[0]?.hasEnded());
  expect(streams.map(({ hasEnded }) => hasEnded()).indexOf(false)).toBe(1);
});

// An open page would otherwise hold a deployment up for as long as a drain may take.
test('a drain ends it at once', async () => {
  const draining = await startTestService({ env: BEHIND_A_PROXY });
  const stream = await anEventStream(draining, await aSession(draining, { roles: ['operator'] }));
  await draining.stop();
  await until('it ends', stream.hasEnded);
  expect(stream.names()).toEqual([]);
});

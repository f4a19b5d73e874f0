import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';

const service = useService();

const problem = {
  type: '/docs/problems/method_not_allowed',
  title: 'Method not allowed',
  status: 405,
  detail: 'This address does not answer this method; the header Allow lists those it answers.',
  code: 'method_not_allowed',
};
const ID = 'req_01jdabcdefghjkmnpqrstvwxyz';
const methodsIn = (allow: unknown) => String(allow).split(', ').sort().join(' ');

test.each([
  ['DELETE', '/requests/', 'GET HEAD POST'],
  ['PUT', '/requests', 'GET HEAD POST'],
  ['POST', `/requests/${ID}`, 'GET HEAD'],
  ['PATCH', `/requests/${ID}/result`, 'GET HEAD'],
  ['POST', `/requests/${ID}/deliveries`, 'GET HEAD'],
  ['GET', `/requests/${ID}/redeliver`, 'POST'],
  ['GET', `/requests/${ID}/close`, 'POST'],
  ['POST', '/deliveries', 'GET HEAD'],
  ['POST', '/deliveries/msg_x', 'GET HEAD'],
  ['GET', '/deliveries/redeliver', 'POST'],
  ['GET', '/deliveries/redeliver-exhausted', 'POST'],
  ['GET', '/verification-output', 'POST'],
  ['OPTIONS', '/held-outputs', 'GET HEAD'],
  ['DELETE', '/held-outputs/held_x', 'GET HEAD'],
  ['GET', '/held-outputs/held_x/apply', 'POST'],
  ['GET', '/held-outputs/held_x/dismiss', 'POST'],
  ['GET', '/held-outputs/dismiss', 'POST'],
  ['DELETE', '/held-outputs/dismiss', 'POST'],
  ['DELETE', '/keys', 'GET HEAD POST'],
  ['DELETE', '/keys/key_x/revoke', 'POST'],
  ['PUT', '/accounts', 'GET HEAD POST'],
  ['POST', '/webhook-secret', 'GET HEAD'],
  ['GET', '/webhook-secret/rotate', 'POST'],
  ['POST', '/livez', 'GET HEAD'],
  ['POST', '/openapi.json', 'GET HEAD'],
])('%s %s is 405 and says what is allowed, key or not', async (method, path, allow) => {
  for (const key of [undefined, null]) {
    const answer = await service.ask(method, path, key === null ? { key } : {});
    expect([answer.status, answer.json]).toEqual([405, problem]);
    expect(methodsIn(answer.headers['allow'])).toBe(allow);
  }
});

test.each([
  ['GET', '/trpc/requests.create', 'POST'],
  ['POST', '/trpc/requests.list', 'GET'],
])('%s %s is 405 through tRPC too, and says what is allowed', async (method, path, allow) => {
  const answer = await service.ask(method, path, method === 'POST' ? { body: {} } : {});
  expect(answer.status).toBe(405);
  expect(answer.json).toEqual({
    error: {
      message: problem.detail,
      code: -32005,
      data: { code: 'METHOD_NOT_SUPPORTED', httpStatus: 405, problem },
    },
  });
  expect(answer.headers['allow']).toBe(allow);
});

test.each([
  '/Requests/',
  '/requests//',
  '/REQUESTS',
  '/verification-output//',
  '/keys/',
  '/trpc',
  '/trpc/nope',
])('%s is nothing', async (path) => {
  expect((await service.ask('GET', path)).status).toBe(404);
});

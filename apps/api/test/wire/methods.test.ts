import { problemOf } from '@insurance-verification/schema';
import { exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { beforeAll, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { send } from '../send.ts';
import { transports, operationNames } from '../transports.ts';

const service = useService();
/** The documented methods of each path; an undocumented path has none. */
let documented: Map<string, Set<string>>;
beforeAll(async () => {
  const { paths } = await service.answer<{ paths: Record<string, object> }>('GET', '/openapi.json');
  documented = new Map(
    Object.entries(paths).map(([path, methods]) => [
      path,
      new Set(Object.keys(methods).map((method) => method.toUpperCase())),
    ]),
  );
  for (const path of ['/livez', '/readyz', '/metrics', '/docs', '/openapi.json'])
    documented.set(path, new Set(['GET']));
});

/** The methods of Node's parser; CONNECT asks for no resource, and HEAD is GET. */
const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'SEARCH',
];

test('a method that a path does not answer gets a 405, and which it answers', async () => {
  for (const [path, known] of documented) {
    const allowed = new Set([...known, ...(known.has('GET') ? ['HEAD'] : [])]);
    for (const method of methods.filter((name) => !allowed.has(name))) {
      const answer = await exchange(
        service.url,
        head(`${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`, ['Content-Length: 0']),
      );
      expect({ method, path, status: answer.status, json: answer.json }).toEqual({
        method,
        path,
        status: 405,
        json: problemOf('method_not_allowed'),
      });
      expect(new Set(String(answer.headers['allow']).split(', '))).toEqual(allowed);
    }
  }
});

test('HEAD is GET without the body, and 405 where there is no GET', async () => {
  expect((await send('HEAD', `${service.url}/verification-output`)).status).toBe(405);
  const get = await send('GET', `${service.url}/livez`);
  const { status, headers, text } = await send('HEAD', `${service.url}/livez`);
  expect([status, headers['content-length'], text]).toEqual([200, get.headers['content-length'], '']);
});

const [, trpc] = transports;

test.each(operationNames)('/trpc/%s answers one method and says which', async (operation) => {
  const path = `/trpc/${operation}`;
  const isQuery = (await service.ask('GET', path)).status !== 405;
  for (const method of methods.filter((name) => name !== (isQuery ? 'GET' : 'POST'))) {
    const answer = await exchange(service.url, head(`${method} ${path}`, ['Content-Length: 0']));
    expect({ method, status: answer.status, json: answer.json }).toEqual({
      method,
      status: 405,
      json: trpc?.problem('method_not_allowed'),
    });
    expect(answer.headers['allow']).toBe(isQuery ? 'GET' : 'POST');
  }
  expect((await send('HEAD', `${service.url}${path}`)).status).toBe(405);
});

test('an unknown path answers no method', async () => {
  for (const path of [
    '/nowhere',
    '/trpc',
    '/trpc/',
    '/trpc/nowhere',
    '/trpc/requests',
    '/docs/nowhere',
    '*',
  ]) {
    for (const method of methods) {
      const { status } = await exchange(service.url, head(`${method} ${path}`, ['Content-Length: 0']));
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
    }
  }
});

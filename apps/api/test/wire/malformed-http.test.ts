import { problemOf } from '@insurance-verification/schema';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { expectRefused } from '@insurance-verification/testing/wire/expect-refused';
import { expectTlsRefused } from '@insurance-verification/testing/wire/expect-tls-refused';
import { head } from '@insurance-verification/testing/wire/head';
import { malformedHttp } from '@insurance-verification/testing/wire/malformed-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { send } from '../send.ts';

let service: TestService;
beforeAll(async () => void (service = await startTestService()));
afterAll(() => service.stop());

// Without an answer a client's author has no clue; left open, each such connection costs a socket.
test.each(malformedHttp({ get: '/livez', post: '/verification-output' }))(
  '%s is told and the connection closed',
  (_, bytes, code) => expectRefused(service.url, bytes, problemOf(code)),
);

test('TLS on the port is answered as what it is, no HTTP, and closed', () => expectTlsRefused(service.url));

test('a header short of the bounds is read', async () => {
  const answer = await send('GET', `${service.url}/livez`, { headers: { a: 'x'.repeat(15_000) } });
  expect(answer.status).toBe(200);
});

// Some clients send the absolute URL, as to a proxy.
test('an absolute address is answered by its path', async () => {
  const connection = aConnection(service.url);
  connection.write(head(`GET ${service.url}/livez`));
  expect((await connection.answer()).json).toEqual({ status: 'alive' });
});

test('an expectation that nobody knows is ignored', async () => {
  const answer = await send('GET', `${service.url}/livez`, { headers: { expect: 'miracles' } });
  expect(answer.status).toBe(200);
});

test('an upgrade that nobody offers is ignored', async () => {
  const answer = await send('GET', `${service.url}/livez`, {
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  });
  expect(answer.json).toEqual({ status: 'alive' });
});

test('two requests at once on a connection are answered in their order', async () => {
  const connection = aConnection(service.url);
  connection.write(head('GET /livez') + head('GET /nowhere', ['Connection: close']));
  const text = await connection.closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
});

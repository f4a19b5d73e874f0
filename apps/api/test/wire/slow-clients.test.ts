import { problemOf } from '@insurance-verification/schema';
import { aConnection } from '@insurance-verification/testing/a-connection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { head } from './head.ts';

// The real limits of the real server, 10 s for headers and 30 s for a request, for all clients at once. The test waits
// for the answers and measures no times.
const patience = { timeout: 90_000 };

let service: TestService;
beforeAll(async () => void (service = await startTestService()));
afterAll(() => service.stop());

const slow: [what: string, begin: string, drip: string][] = [
  ['headers that do not end', 'GET /livez HTTP/1.1\r\nHost: a\r\n', ''],
  ['headers that drip', 'GET /livez HTTP/1.1\r\nHost: a\r\n', 'a: b\r\n'],
  ['a first line that does not end', 'GET /li', ''],
  ['nothing at all', '', ''],
  ['a body that does not end', head('POST /verification-output', ['Content-Length: 100']) + '{', ''],
  ['a body that drips', head('POST /verification-output', ['Content-Length: 100000']) + '{', ' '],
  ['chunks that drip', head('POST /verification-output', ['Transfer-Encoding: chunked']), '1\r\n \r\n'],
  [
    'a body that does not end, to tRPC',
    head('POST /trpc/verificationOutput.submit', ['Content-Length: 100']),
    '',
  ],
];

// Otherwise a few hundred idle connections would hold every socket that the process may have.
test('a client that is slow, however it is, is told 408 and the connection closed', patience, async () => {
  const outcomes = slow.map(async ([what, begin, drip]) => {
    const connection = aConnection(service.url);
    connection.write(begin);
    const dripping = drip === '' ? undefined : setInterval(() => connection.write(drip), 500);
    const { status, headers, json } = await connection.answer().finally(() => clearInterval(dripping));
    const answerCount = (await connection.closed()).match(/HTTP\/1\.1/g)?.length;
    return { what, status, connection: headers['connection'], json, answerCount };
  });
  expect(await Promise.all(outcomes)).toEqual(
    slow.map(([what]) => ({
      what,
      status: 408,
      connection: 'close',
      json: problemOf('request_timeout'),
      answerCount: 1,
    })),
  );
});

import { problemOf } from '@insurance-verification/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { until } from '../until.ts';
import { type Connection, aConnection } from './a-connection.ts';
import { head } from './head.ts';

// The real limits of the real server, 10 s for headers and 30 s for a request, so these tests take that long; each
// waits for an answer, none measures it. They run side by side.
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
  ['a body that does not end, to tRPC', head('POST /trpc/verificationOutput.submit', ['Content-Length: 100']), ''],
];

describe.concurrent('a client that sends', () => {
  // Else a few hundred idle connections would hold every socket the process may have.
  test.each(slow)('%s is told 408 and the connection closed', patience, async (_, begin, drip) => {
    const connection = aConnection(service.url);
    connection.write(begin);
    const dripping = drip === '' ? undefined : setInterval(() => connection.write(drip), 500);
    const answer = await answerOf(connection).finally(() => clearInterval(dripping));
    expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' }, json: problemOf('request_timeout') });
    expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

/** `answer()` gives up before a request's 30 s are over. */
async function answerOf(connection: Connection): ReturnType<Connection['answer']> {
  const answer = connection.answer().catch(() => connection.answer());
  return until('the patience of two', () => answer);
}

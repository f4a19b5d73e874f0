import { aConnection } from '@insurance-verification/testing/a-connection';
import { expect, test } from 'vitest';
import { callHeaders, HOST, useHttpDoor } from './an-http-door.ts';
import { head } from './head.ts';

// The real limits, 10 s for headers and 30 s for a request, for all clients at once. The test waits for the answers
// and measures no times.
const patience = { timeout: 90_000 };

const door = useHttpDoor();

const slow: [what: string, begin: string, drip: string][] = [
  ['headers that do not end', 'POST /mcp HTTP/1.1\r\nHost: a\r\n', ''],
  ['headers that drip', 'POST /mcp HTTP/1.1\r\nHost: a\r\n', 'a: b\r\n'],
  ['a first line that does not end', 'POST /m', ''],
  ['nothing at all', '', ''],
  ['a body that does not end', `${head('POST /mcp', [...callHeaders, 'Content-Length: 100'], HOST)}{`, ''],
  ['a body that drips', `${head('POST /mcp', [...callHeaders, 'Content-Length: 100000'], HOST)}{`, ' '],
  ['chunks that drip', head('POST /mcp', [...callHeaders, 'Transfer-Encoding: chunked'], HOST), '1\r\n \r\n'],
];

// Otherwise a few hundred idle connections would hold every socket that the process may have.
test('a client that is slow, however it is, is told 408 and the connection closed', patience, async () => {
  const outcomes = slow.map(async ([what, begin, drip]) => {
    const connection = aConnection(door().url);
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
      json: door().problem('request_timeout'),
      answerCount: 1,
    })),
  );
});

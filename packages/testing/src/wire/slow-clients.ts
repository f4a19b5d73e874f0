import type { Problem } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { aConnection } from './a-connection.ts';

/** A client that begins a request, and then sends a little every half second, or nothing. */
export type SlowClient = readonly [what: string, begin: string, drip: string];

/** Clients too slow for any server. `postHead` writes the head of a POST that the server would read. */
export function slowClients(postHead: (...headers: readonly string[]) => string): readonly SlowClient[] {
  return [
    ['headers that do not end', 'GET /livez HTTP/1.1\r\nHost: a\r\n', ''],
    ['headers that drip', 'GET /livez HTTP/1.1\r\nHost: a\r\n', 'a: b\r\n'],
    ['a first line that does not end', 'GET /li', ''],
    ['nothing at all', '', ''],
    ['a body that does not end', `${postHead('Content-Length: 100')}{`, ''],
    ['a body that drips', `${postHead('Content-Length: 100000')}{`, ' '],
    ['chunks that drip', postHead('Transfer-Encoding: chunked'), '1\r\n \r\n'],
  ];
}

/** All of them at once are answered with this problem, each once, and the connection is closed. Measures no times. */
export async function expectTimedOut(
  url: string,
  clients: readonly SlowClient[],
  problem: Problem,
): Promise<void> {
  const outcomes = clients.map(async ([what, begin, drip]) => {
    const connection = aConnection(url);
    connection.write(begin);
    const dripping = drip === '' ? undefined : setInterval(() => connection.write(drip), 500);
    const { status, headers, json } = await connection.answer().finally(() => clearInterval(dripping));
    const answerCount = (await connection.closed()).match(/HTTP\/1\.1/g)?.length;
    return { what, status, connection: headers['connection'], json, answerCount };
  });
  expect(await Promise.all(outcomes)).toEqual(
    clients.map(([what]) => ({
      what,
      status: problem.status,
      connection: 'close',
      json: problem,
      answerCount: 1,
    })),
  );
}

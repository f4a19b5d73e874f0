import type { Problem } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { aConnection } from './a-connection.ts';

/** Bytes get this problem as their one answer, and then the connection is closed: left open, each would cost a socket. */
export async function expectRefused(
  url: string,
  bytes: string | Uint8Array,
  problem: Problem,
): Promise<void> {
  const connection = aConnection(url);
  connection.write(bytes);
  const { status, headers, json } = await connection.answer();
  expect({ status, json }).toEqual({ status: problem.status, json: problem });
  expect(headers).toMatchObject({ connection: 'close', 'content-type': 'application/problem+json' });
  expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
}

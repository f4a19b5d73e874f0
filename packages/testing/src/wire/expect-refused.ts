import type { Problem } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { aConnection } from './a-connection.ts';

/** Expects bytes to get this problem as their only answer, and the connection to close: otherwise each costs a socket. */
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

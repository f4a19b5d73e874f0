import { expect } from 'vitest';
import { aConnection } from './a-connection.ts';

/**
 * Expects any bytes to get no answer, or one that is not a failure and shows nothing of the code. The client ends its side
 * after them and reads to the end, or cuts the connection.
 */
export async function expectHarmless(url: string, bytes: Uint8Array, isCut: boolean): Promise<void> {
  const connection = aConnection(url);
  connection.write(bytes);
  if (isCut) {
    await connection.opened();
    connection.cut();
    return;
  }
  connection.end();
  const text = await connection.closed();
  if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
  expect(text).not.toMatch(/HTTP\/1\.1 5\d\d|node_modules|\.ts\b|\bat \w+ \(/);
}

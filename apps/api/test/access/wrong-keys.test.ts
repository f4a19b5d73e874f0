import { connect } from 'node:net';
import type { CreatedApiKey } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { anAccount, aKey } from '../a-key.ts';
import { BOOTSTRAP_KEY, useService } from '../a-service.ts';
import { alter } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

/** One key for every way to be wrong. */
async function wrongKeys(): Promise<(string | null)[]> {
  const { account_id } = await anAccount(service);
  const revoked = await service.answer<CreatedApiKey>('POST', '/keys', { account_id, scopes: ['requests'] });
  await service.answer('POST', `/keys/${revoked.key_id}/revoke`);
  const expired = await aKey(service);
  await alter(
    service.databaseUrl,
    `update api_key set expires_at = now() - interval '1 second' where prefix = $1`,
    [expired.slice(0, 13)],
  );
  const live = await aKey(service);
  return [
    null,
    '',
    'x',
    revoked.key,
    expired,
    live.slice(0, -1),
    live.slice(0, -1) + (live.endsWith('0') ? '1' : '0'),
    live.toUpperCase(),
    `Bearer ${live}`,
    `${live}, ${live}`,
    `${BOOTSTRAP_KEY}x`,
    'k'.repeat(4000),
    'k'.repeat(200),
  ];
}

describe.each(transports)('over $name', (transport) => {
  // A different text for one of them would tell a stranger which keys once existed.
  test('every wrong key gets the same 401, byte for byte', async () => {
    for (const key of await wrongKeys()) {
      const answer = await transport.call(service, 'requests.list', {}, { key });
      expect([answer.status, answer.json]).toEqual([401, transport.problem('unauthorized')]);
    }
  });
});

/** Sends a head and the start of an endless body; resolves with the first bytes of the answer. */
function answerToUnendingBody(path: string, key: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setTimeout(10_000, () => socket.destroy(new Error('No answer came before the end of the body.')));
    socket.on('error', reject);
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('utf8'));
      socket.destroy();
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nx-key: ${key}\r\ncontent-type: application/json\r\n` +
        `transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
    );
  });
}

// If read first, a stranger's body would cost memory and time before the refusal.
test.each(['/requests/', '/trpc/requests.create', '/keys', '/trpc/keys.create'])(
  '%s answers 401 and 403 while the body is still coming',
  async (path) => {
    expect(await answerToUnendingBody(path, 'wrong-key-0123456789')).toMatch(/^HTTP\/1\.1 401 /);
    const lacking = await aKey(service, ['verify']);
    expect(await answerToUnendingBody(path, lacking)).toMatch(/^HTTP\/1\.1 403 /);
  },
);

import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { afterEach, expect, test } from 'vitest';
import { callHeaders, callOf, HOST, initialize, post, subscribe, SUBSCRIBE_HEADERS } from './a-wire.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

afterEach(() => service().assertWell());

const ENDS = [
  ['is revoked', (key_id: string) => service().answer('POST', `/keys/${key_id}/revoke`)],
  [
    'is of an account that is suspended',
    (_: string, account_id: string) => service().answer('POST', `/accounts/${account_id}/suspend`),
  ],
] as const;

// Broke: a stolen key's streams stayed open for as long as its thief liked.
test.each(ENDS)('a session and its streams end when its key %s, and others stay', async (_, end) => {
  const { account_id } = await service().client.accounts.create({ name: 'Agents', kind: 'platform' });
  const { key, key_id } = await service().aKey({ account_id });
  const { key: kept } = await service().aKey();
  const open = async (text: string) => {
    const headers = [`x-key: ${text}`, ...callHeaders.slice(1)];
    const { headers: answered } = await post(service(), initialize, headers);
    const stream = aConnection(service().url);
    const session = `mcp-session-id: ${answered['mcp-session-id']}`;
    stream.write(head('GET /mcp', [...headers, session, 'connection: close'], HOST));
    await stream.heard(': open');
    const subscription = aConnection(service().url);
    subscription.write(callOf(subscribe, [...headers, ...SUBSCRIBE_HEADERS, 'connection: close']));
    await subscription.heard('text/event-stream');
    return { stream, subscription, headers: [...headers, session] };
  };
  const [ended, other] = [await open(key), await open(kept)];
  await end(key_id, account_id);
  const endedAt = performance.now();
  await Promise.all([ended.stream.closed(), ended.subscription.closed()]);
  expect(performance.now() - endedAt).toBeLessThan(15_000); // a second by itself, and less than any other end of a stream
  const closed = other.stream.closed().then(() => 'closed');
  expect(await Promise.race([closed, post(service(), initialize, other.headers)])).toMatchObject({
    status: 200,
  });
});

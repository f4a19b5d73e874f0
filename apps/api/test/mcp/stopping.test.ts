import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { callHeaders, callOf, HOST, initialize, post, subscribe, SUBSCRIBE_HEADERS } from './a-wire.ts';

// What stayed open would keep the process from its end until the deadline of the drain, 21 s.
test(
  'a process that stops ends sessions’ streams, subscriptions and connections without a byte',
  { timeout: 15_000 },
  async () => {
    const service = await aService();
    const { headers } = await post(service, initialize);
    const stream = aConnection(service.url);
    stream.write(head('GET /mcp', [...callHeaders, `mcp-session-id: ${headers['mcp-session-id']}`], HOST));
    await stream.heard(': open');
    const subscription = aConnection(service.url);
    subscription.write(callOf(subscribe, [...callHeaders, ...SUBSCRIBE_HEADERS]));
    await subscription.heard('text/event-stream');
    const unused = aConnection(service.url);
    await unused.opened();
    await service.stop();
    const [, , nothing] = await Promise.all([stream.closed(), subscription.closed(), unused.closed()]);
    expect(nothing).toBe('');
  },
);

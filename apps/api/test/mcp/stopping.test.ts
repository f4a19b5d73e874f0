import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { callHeaders, callOf, HOST, initialize, post } from './a-wire.ts';

const subscribe = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const ofProtocol = ['mcp-protocol-version: 2026-07-28', 'mcp-method: subscriptions/listen'];

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
    subscription.write(callOf(subscribe, [...callHeaders, ...ofProtocol]));
    await subscription.heard('text/event-stream');
    const unused = aConnection(service.url);
    await unused.opened();
    await service.stop();
    const [, , nothing] = await Promise.all([stream.closed(), subscription.closed(), unused.closed()]);
    expect(nothing).toBe('');
  },
);

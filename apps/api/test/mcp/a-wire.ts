import { type Answer, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { BOOTSTRAP_KEY } from '../a-service.ts';

/** The name of the service in calls that no client library makes. */
export const HOST = 'Host: localhost';

/** The headers of a valid call, except its length. */
export const callHeaders = [
  `x-key: ${BOOTSTRAP_KEY}`,
  'content-type: application/json',
  'accept: application/json, text/event-stream',
];

/** The bytes of a call with its correct length. */
export function callOf(body: string | Uint8Array, headers: readonly string[] = callHeaders): Uint8Array {
  const bytes = Buffer.from(body);
  const lines = [...headers, `content-length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(head('POST /mcp', lines, HOST)), bytes]);
}

/** A complete call; its body may be any bytes. */
export const post = (
  { url }: { readonly url: string },
  body: string | Uint8Array,
  headers?: readonly string[],
): Promise<Answer> => exchange(url, callOf(body, headers));

export const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** Opens the protocol's stream of notices. */
export const subscribe = JSON.stringify({
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

/** The headers of {@link subscribe}, besides those of a call. */
export const SUBSCRIBE_HEADERS = ['mcp-protocol-version: 2026-07-28', 'mcp-method: subscriptions/listen'];

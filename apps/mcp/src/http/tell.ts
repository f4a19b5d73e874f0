import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { ToolContext } from '../tools/tool-context.ts';

interface Told {
  readonly headers: Headers;
  readonly apiKey: string;
  readonly body: unknown;
  readonly context: ToolContext;
  readonly res: ServerResponse;
  /** Names the session that begins with this answer. */
  readonly sessionId: string | undefined;
}

/**
 * Hands a message that was read to the SDK, and its answer to the client. The SDK's own adapter for Node would write the
 * message as JSON again, which fails on one of many levels, and fails outside its own care when a header is odd.
 */
export async function tell(mcp: McpHttpHandler, told: Told): Promise<void> {
  const { headers, apiKey, body, context, res, sessionId } = told;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // The SDK looks at method and headers; the body is passed beside it.
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
  const authInfo = { token: apiKey, clientId: '', scopes: [], extra: { context } };
  const response = await mcp.fetch(request, { parsedBody: body, authInfo });
  res.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  });
  if (response.body === null) res.end();
  // Rejected when the client goes away in the middle, which ends the answer as it should.
  else await pipeline(Readable.fromWeb(response.body), res).catch(() => undefined);
}

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { ToolContext } from '../tools/tool-context.ts';

interface ReadMessage {
  readonly headers: Headers;
  readonly apiKey: string;
  readonly body: unknown;
  readonly context: ToolContext;
  readonly res: ServerResponse;
  /** The session that starts with this answer. */
  readonly sessionId: string | undefined;
}

/**
 * Passes a parsed message to the SDK and its answer to the client. The SDK's own Node adapter would serialize the
 * message again, which fails for deeply nested messages, and throws outside its error handling when a header is
 * malformed.
 */
export async function passMessage(mcp: McpHttpHandler, message: ReadMessage): Promise<void> {
  const { headers, apiKey, body, context, res, sessionId } = message;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // The SDK reads method and headers; the body is passed separately.
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
  const authInfo = { token: apiKey, clientId: '', scopes: [], extra: { context } };
  const response = await mcp.fetch(request, { parsedBody: body, authInfo });
  res.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  });
  if (response.body === null) res.end();
  // Rejects when the client disconnects mid-answer, which ends the answer properly.
  else await pipeline(Readable.fromWeb(response.body), res).catch(() => undefined);
}

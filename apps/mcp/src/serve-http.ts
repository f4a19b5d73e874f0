import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** The tools of the agent whose key this is. */
  readonly serverFor: (apiKey: string) => McpServer;
}

/** Serves streamable HTTP at `/mcp`. Each call carries its agent's key, so this program holds none. */
export async function serveHttp({
  host,
  port,
  serverFor,
}: HttpOptions): Promise<{ url: string; server: Server }> {
  const handle = toNodeHandler(
    createMcpHandler(({ requestInfo }) => serverFor(keyOf(requestInfo?.headers) ?? '')),
  );
  // A page in a browser must not reach a server on loopback by another name (DNS rebinding).
  const isLocal = host === '127.0.0.1' || host === '::1' || host === 'localhost';
  const [isRightHost, isRightOrigin] = [localhostHostValidation(), localhostOriginValidation()];
  const server = createHttpServer((req, res) => {
    if (isLocal && !(isRightHost(req, res) && isRightOrigin(req, res))) return;
    if (new URL(req.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      res.writeHead(404).end();
      return;
    }
    if (keyOf(new Headers(req.headers as Record<string, string>)) === undefined) {
      res.writeHead(401, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: 'The header x-key, or Authorization: Bearer, must hold an API key.' }));
      return;
    }
    // Node's own types say `string | undefined` where the adapter's say optional.
    void handle(req as Parameters<typeof handle>[0], res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`, server };
}

/** Clients that can send no header of their own choice send the key as a bearer token. */
function keyOf(headers: Headers | undefined): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1];
  return headers?.get('x-key') || bearer;
}

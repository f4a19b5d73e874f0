import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isLoopbackHost } from '@insurance-verification/webhook';
import {
  createMcpHandler,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  type McpServer,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { mayBeApiKey } from '../may-be-api-key.ts';
import { BodyRoom } from './body-room.ts';
import { BODY_BYTES_MAX, faultOfHead, pathOf } from './guard-request.ts';
import { readMessage } from './read-message.ts';
import { answerClientError, refuse, refuseConnection, refuseMessage } from './refuse.ts';

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** The tools of the agent whose key this is. */
  readonly serverFor: (apiKey: string) => McpServer;
}

/** A running door for agents over HTTP. */
export interface HttpDoor {
  readonly url: string;
  /** Takes no more calls; those under way end within the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Messages in one batch, as calls in one of the service's. The SDK takes a hundred, which cost 0.2 s, and looks into all
 * of a longer one before it refuses it.
 */
const BATCH_COUNT_MAX = 20;

/** The service's own limits: a slow client is told 408 and holds no socket for longer. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false, // faultOfHead requires it, with a body to its answer
};

/** Serves streamable HTTP at `/mcp`. Each call carries its agent's key, so this program holds none. */
export async function serveHttp({ host, port, serverFor }: HttpOptions): Promise<HttpDoor> {
  const mcp = createMcpHandler(({ requestInfo }) => serverFor(keyOf(requestInfo?.headers) ?? ''), {
    maxRequestBodySize: BODY_BYTES_MAX,
  });
  const bodyRoom = new BodyRoom();
  // A page in a browser must not reach a server on loopback by another name (DNS rebinding).
  const isLocal = isLoopbackHost(host);

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const fault = faultOfHead(req);
    if (fault) return refuse(req, res, fault);
    const path = pathOf(req.url ?? '');
    if (path === null) return refuse(req, res, 'bad_request');
    if (isLocal && !isFromHere(req)) return refuseMessage(req, res, elsewhere);
    if (path !== '/mcp') return refuse(req, res, 'not_found');
    if (req.method !== 'POST') return refuse(req, res, 'method_not_allowed');
    const headers = headersOf(req);
    if (keyOf(headers) === undefined) return refuse(req, res, 'unauthorized');
    if (!isJsonContentType(headers.get('content-type'))) return refuseMessage(req, res, notJsonType);
    const message = await readMessage(req, bodyRoom);
    if (message.kind === 'gone') return void res.destroy();
    if (message.kind === 'no_room') return refuse(req, res, 'unavailable');
    if (message.kind === 'too_large') return refuse(req, res, 'payload_too_large');
    if (message.kind === 'not_json') return refuseMessage(req, res, parseError);
    if (Array.isArray(message.value) && message.value.length > BATCH_COUNT_MAX)
      return refuseMessage(req, res, batchTooLong);
    await tell(mcp, { headers, body: message.value, res });
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    // Whatever fails, fails for this call alone.
    answer(req, res).catch(() => refuse(req, res, 'internal'));
  };

  const server = createHttpServer(limits, onRequest);
  server.maxHeadersCount = 0; // none is dropped unseen; faultOfHead counts them
  server.on('clientError', answerClientError);
  // Nothing here is a proxy; without a listener Node would close the connection without a word.
  server.on('connect', (_, socket) => refuseConnection(socket, 'bad_request'));
  // An expectation we do not know may be ignored (RFC 9110, 10.1.1); Node's own answer would be a bare 417.
  server.on('checkExpectation', onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`,
    stop: async (deadlineMs) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(timer);
      await mcp.close();
    },
  };
}

const elsewhere = { status: 403, code: -32_000, message: 'Host and Origin must name this machine.' };
const notJsonType = { status: 415, code: -32_000, message: 'The content type must be application/json.' };
const parseError = { status: 400, code: -32_700, message: 'The body is not JSON.' };
const batchTooLong = {
  status: 400,
  code: -32_600,
  message: `A batch holds ${BATCH_COUNT_MAX} messages at most.`,
};

function isFromHere({ headers: { host, origin } }: IncomingMessage): boolean {
  return (
    validateHostHeader(host, localhostAllowedHostnames()).ok &&
    validateOriginHeader(origin, localhostAllowedOrigins()).ok
  );
}

interface Told {
  readonly headers: Headers;
  readonly body: unknown;
  readonly res: ServerResponse;
}

/**
 * Hands a message that was read to the SDK, and its answer to the client. The SDK's own adapter for Node would write the
 * message as JSON again, which fails on one of many levels, and fails outside its own care when a header is odd.
 */
async function tell(mcp: McpHttpHandler, { headers, body, res }: Told): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // The SDK looks at method and headers; the body is passed beside it.
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
  const response = await mcp.fetch(request, { parsedBody: body });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) res.end();
  // Rejected when the client goes away in the middle, which ends the answer as it should.
  else await pipeline(Readable.fromWeb(response.body), res).catch(() => undefined);
}

/** As the parser took them; a header that fetch's rules refuse is left out, since the SDK asks for none such. */
function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    for (const value of values) {
      try {
        headers.append(name, value);
      } catch {
        continue;
      }
    }
  }
  return headers;
}

/** Clients that can send no header of their own choice send the key as a bearer token. */
function keyOf(headers: Headers | undefined): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1];
  const key = headers?.get('x-key') || bearer;
  return key !== undefined && mayBeApiKey(key) ? key : undefined;
}

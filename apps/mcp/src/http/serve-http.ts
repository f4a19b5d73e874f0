import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { NOTHING_HERE, type ProblemCode } from '@insurance-verification/schema';
import { isLoopbackHost } from '@insurance-verification/webhook';
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { LeaseBook } from '../leases/lease-book.ts';
import type { LeaseBooks } from '../leases/lease-books.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { BodyMemory } from './body-memory.ts';
import { BODY_BYTES_MAX, faultOfHead, pathOf } from './guard-request.ts';
import { headersOf, keyOf } from './headers-of.ts';
import { passMessage } from './pass-message.ts';
import { problemAt } from './problem-at.ts';
import { readMessage } from './read-message.ts';
import { answerClientError, refuse, refuseConnection, refuseMessage } from './refuse.ts';
import { serveSession } from './serve-session.ts';
import { type Session, Sessions } from './sessions.ts';

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** The service's address: it hosts the pages that explain problems. */
  readonly serviceUrl: string;
  readonly books: LeaseBooks;
  /** The server with the tools of the calling agent. */
  readonly serverFor: (context: ToolContext) => McpServer;
}

/** A running HTTP server for agents. */
export interface HttpListener {
  readonly url: string;
  /** Accepts no more calls; those in flight may finish until the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Messages in one batch: the service's own limit. The SDK allows a hundred, which cost 0.2 s, and inspects all messages
 * of a longer batch before it refuses it.
 */
const BATCH_COUNT_MAX = 20;

/** Streams of the newer protocol that clients may hold open for change notifications; there never are any. */
const SUBSCRIPTION_COUNT_MAX = 64;

/** The sender of a message. */
interface Caller {
  readonly headers: Headers;
  readonly apiKey: string;
  readonly book: LeaseBook;
  readonly session: Session | undefined;
}

/** The service's own limits: a slow client gets a 408, and its socket is freed. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false, // faultOfHead requires it and answers with a body
};

/**
 * Serves streamable HTTP at `/mcp`. Each call carries its agent's key. The SDK creates a server per message and has no
 * sessions; this program adds them, only to track whether their client is present.
 */
export async function serveHttp({
  host,
  port,
  serviceUrl,
  books,
  serverFor,
}: HttpOptions): Promise<HttpListener> {
  const problem = (code: ProblemCode) => problemAt(serviceUrl, code);
  const nothingHere = problemAt(serviceUrl, 'not_found', { detail: NOTHING_HERE });
  const mcp = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['context'] as ToolContext), {
    maxRequestBodySize: BODY_BYTES_MAX,
    maxSubscriptions: SUBSCRIPTION_COUNT_MAX,
  });
  const bodyMemory = new BodyMemory();
  const sessions = new Sessions();
  // A web page must not reach a server on loopback under another host name (DNS rebinding).
  const isLocal = isLoopbackHost(host);

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const fault = faultOfHead(req);
    if (fault) return refuse(req, res, problem(fault));
    const path = pathOf(req.url ?? '');
    if (path === null) return refuse(req, res, problem('bad_request'));
    if (isLocal && !isFromHere(req)) return refuseMessage(req, res, elsewhere);
    if (path !== '/mcp') return refuse(req, res, nothingHere);
    const headers = headersOf(req);
    const sessionId = headers.get('mcp-session-id');
    const isOfSession = sessionId !== null && (req.method === 'GET' || req.method === 'DELETE');
    if (req.method !== 'POST' && !isOfSession) return refuse(req, res, problem('method_not_allowed'));
    const apiKey = keyOf(headers);
    if (apiKey === undefined) return refuse(req, res, problem('unauthorized'));
    const book = books.enter(apiKey);
    try {
      const session = sessionId === null ? undefined : sessions.find(sessionId, book.owner);
      if (sessionId !== null && !session) return refuseMessage(req, res, noSession);
      if (isOfSession && session) return await serveSession(req, res, { sessions, session, problem });
      await answerMessage(req, res, { headers, apiKey, book, session });
    } finally {
      books.leave(book);
    }
  };
  const answerMessage = async (req: IncomingMessage, res: ServerResponse, caller: Caller) => {
    const { headers, apiKey, book, session } = caller;
    if (!isJsonContentType(headers.get('content-type'))) return refuseMessage(req, res, notJsonType);
    const message = await readMessage(req, bodyMemory);
    if (message.kind === 'gone') return void res.destroy();
    if (message.kind === 'no_room') return refuse(req, res, problem('unavailable'));
    if (message.kind === 'too_large') return refuse(req, res, problem('payload_too_large'));
    if (message.kind === 'not_json') return refuseMessage(req, res, parseError);
    const { value: body } = message;
    if (Array.isArray(body) && body.length > BATCH_COUNT_MAX) return refuseMessage(req, res, batchTooLong);
    const begun = !session && isInitializeRequest(body) ? sessions.open(book.owner) : undefined;
    const { presence } = session ?? begun ?? book;
    presence.open();
    try {
      const context = { client: book.client, book, presence };
      await passMessage(mcp, { headers, apiKey, body, context, res, sessionId: begun?.id });
    } finally {
      presence.close();
    }
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    // A failure affects this call alone.
    answer(req, res).catch(() => refuse(req, res, problem('internal')));
  };

  const server = createHttpServer(limits, onRequest);
  server.maxHeadersCount = 0; // no header is dropped silently; faultOfHead counts them
  server.on('clientError', (err, socket) => answerClientError(err, socket, problem));
  // This is no proxy; without a listener Node would close the connection silently.
  server.on('connect', (_, socket) => refuseConnection(socket, problem('bad_request')));
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node's own answer would be a bare 417.
  server.on('checkExpectation', onRequest);
  const unused = unusedSockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`,
    stop: async (deadlineMs) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      sessions.endAll();
      for (const socket of unused) socket.destroy();
      const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(timer);
      await mcp.close();
    },
  };
}

/** Connections without any request yet. A closing server would wait ten seconds for the headers of each. */
function unusedSockets(server: Server): Set<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

const elsewhere = { status: 403, code: -32_000, message: 'Host and Origin must name this machine.' };
const noSession = { status: 404, code: -32_001, message: 'There is no such session. Begin another one.' };
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

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { OPERATIONS } from '@insurance-verification/schema/contract';
import type { LiveKey } from '@insurance-verification/store';
import { createMcpHandler, isInitializeRequest, isJsonContentType } from '@modelcontextprotocol/server';
import type { ParameterizedContext } from 'koa';
import { allowBody } from '../body/body-memory.ts';
import { takeTurn } from '../body/parse-json.ts';
import { discard, readBytes } from '../body/read-body.ts';
import type { DocumentedApi } from '../http/pages/docs.ts';
import { methodNotAllowed } from '../http/rest.ts';
import type { App, CallState } from '../procedure/context/app.ts';
import { ProblemError } from '../procedure/problem.ts';
import { admitCaller } from '../procedure/procedure.ts';
import { operationCaller, sourceOf } from './call-operation.ts';
import { createServers } from './create-servers.ts';
import { createEventMethods } from './events/event-methods.ts';
import { startKeyWatch } from './key-watch.ts';
import { LeaseBooks } from './leases/lease-books.ts';
import { holdStream, type Session, Sessions } from './sessions.ts';
import type { ToolContext } from './tools/tool.ts';

/** Messages in one batch. The SDK allows a hundred, which cost 0.2 s. */
const BATCH_COUNT_MAX = 20;

/** Streams of 2026-07-28 that clients may hold open for notices of changes; there never are any. */
const SUBSCRIPTION_COUNT_MAX = 64;

/** The MCP transport, at `/mcp`. */
export interface Mcp {
  readonly answer: (koa: McpContext) => Promise<void>;
  /** Ends the streams and the renewals; calls under way may finish. */
  readonly close: () => Promise<void>;
}

/**
 * Serves streamable HTTP. The SDK makes a server for each message and has no sessions; they are added here, only to
 * know whether their client is present.
 */
export function serveMcp(app: App, { router, schemas }: DocumentedApi): Mcp {
  const events = createEventMethods(app, schemas);
  const serverFor = createServers(schemas, events);
  const books = new LeaseBooks();
  books.start();
  const watch = startKeyWatch(app.store, app.log);
  const sessions = new Sessions(watch);
  const closing = new AbortController();
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['context'] as ToolContext), {
    maxSubscriptions: SUBSCRIPTION_COUNT_MAX,
  });

  const answer = async (koa: McpContext): Promise<void> => {
    koa.state.operation = 'mcp';
    const { call } = koa.state.context;
    const sessionId = koa.get('mcp-session-id');
    const isOfSession = sessionId !== '' && (koa.method === 'GET' || koa.method === 'DELETE');
    if (koa.method !== 'POST' && !isOfSession) throw methodNotAllowed(['POST']);
    // Programs send no Origin, and reach a proxied service under a name that it need not know.
    if (koa.get('origin') !== '' && call.isOfForeignPage(app.config)) throw ofForeignPage();
    takeBearer(koa);
    // A key that may claim work may use the tools; each of them requires the scopes of its own operation.
    const { admitted, counted } = await admitCaller(koa.state.context, OPERATIONS['work.claim']);
    const caller = admitted as LiveKey; // a scope is required, so there is a caller
    const session = sessionId === '' ? undefined : sessions.find(sessionId, caller.keyId);
    if (sessionId !== '' && !session) return refuse(koa, noSession);
    if (isOfSession && session) serveSession(koa, session);
    else await answerMessage(koa, { caller, counted }, session);
  };

  /** A GET opens a session's stream, a DELETE ends the session. */
  const serveSession = (koa: McpContext, session: Session): void => {
    if (koa.method === 'DELETE') {
      sessions.end(session);
      koa.status = 204;
      return;
    }
    // What the protocol requires of a server that offers no stream.
    if (!sessions.takeStream(session)) throw methodNotAllowed(['POST']);
    koa.state.operation = 'mcp.stream';
    koa.status = 200;
    setStreamHeaders(koa);
    koa.set('connection', 'close'); // a drain then waits for nothing once the stream ends
    koa.respond = false;
    void holdStream(koa.res, session);
  };

  const answerMessage = async (
    koa: McpContext,
    { caller, counted }: Admitted,
    known: Session | undefined,
  ) => {
    const { req, res } = koa;
    const { keyId } = caller;
    res.setMaxListeners(BATCH_COUNT_MAX + 10); // each claim of a batch listens for the client's end
    if (!isJsonContentType(koa.get('content-type'))) return refuse(koa, notJsonType);
    const body = await readMessage(koa);
    if (body === undefined) return refuse(koa, parseError);
    if (Array.isArray(body) && body.length > BATCH_COUNT_MAX) return refuse(koa, batchTooLong);
    const begun = !known && isInitializeRequest(body) ? sessions.open(keyId) : undefined;
    const book = books.enter(keyId);
    const { presence } = known ?? begun ?? book;
    presence.open();
    const leave = () => {
      presence.close();
      books.leave(book);
    };
    if (res.closed) leave();
    else res.once('close', leave);
    const { call } = koa.state.context;
    const context: ToolContext = {
      call: operationCaller(app, router, { req, res, trace: call.trace }),
      renewal: operationCaller(app, router, { req: sourceOf(req), res: null }),
      book,
      presence,
      caller,
      countSubscription: () => app.limiter.admit(OPERATIONS['endpoints.create'], call, counted),
      log: app.log,
    };
    const signal = isSubscription(body) ? subscriptionSignal(koa, keyId) : call.gone;
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: headersFor(koa), signal });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { context } };
    if (begun) koa.set('mcp-session-id', begun.id);
    await send(koa, await handler.fetch(request, { parsedBody: body, authInfo }), isSubscription(body));
  };

  /** Aborts when the client, the key or the process ends. */
  const subscriptionSignal = ({ res, state }: McpContext, keyId: string): AbortSignal => {
    const ending = new AbortController();
    res.once(
      'close',
      watch.add(keyId, () => ending.abort()),
    );
    return AbortSignal.any([state.context.call.gone, closing.signal, ending.signal]);
  };

  return {
    answer,
    close: async () => {
      closing.abort();
      watch.stop();
      sessions.close();
      await events.close();
      await books.stop();
    },
  };
}

/** Who sends a message, and the key that its calls are counted by. */
interface Admitted {
  readonly caller: LiveKey;
  readonly counted: LiveKey | null;
}

const ofForeignPage = () =>
  new ProblemError('cross_site', { detail: 'No page of another site may call this address.' });

/** Some clients cannot send a header of their own: their key is a bearer token. */
function takeBearer({ req: { headers } }: McpContext): void {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) headers['x-key'] ||= bearer;
}

/** The headers that the SDK reads. */
function headersFor({ req: { headers } }: McpContext): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-'))
    .map(([name, value]) => [name, String(value)]);
}

/** The protocol's stream of notices. A drain and the end of the key end it; any other call may finish. */
const isSubscription = (body: unknown): boolean =>
  (body as { readonly method?: unknown } | null)?.method === 'subscriptions/listen';

/** The SDK streams the answer of a call too, which is one event: it is sent whole. */
async function send(koa: McpContext, response: Response, isStream: boolean): Promise<void> {
  const { status, headers, body } = response;
  koa.body = null;
  if (isStream && body && headers.get('content-type') === 'text/event-stream') {
    setStreamHeaders(koa);
    koa.body = Readable.fromWeb(body);
  } else if (body) {
    koa.type = headers.get('content-type') ?? '';
    koa.body = await response.text();
  }
  koa.status = status; // without a body Koa has made it 204
}

function setStreamHeaders(koa: McpContext): void {
  koa.type = 'text/event-stream';
  koa.set('cache-control', 'no-store, no-transform');
  koa.set('x-accel-buffering', 'no'); // nginx would collect what comes
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Answers an error of JSON-RPC, for a message that is not one or whose session is unknown. */
function refuse(koa: McpContext, { status, code, message }: Refusal): void {
  koa.status = status;
  koa.type = 'application/json';
  koa.body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
}

const noSession = { status: 404, code: -32_001, message: 'There is no such session. Begin another one.' };
const notJsonType = { status: 415, code: -32_000, message: 'The content type must be application/json.' };
const parseError = { status: 400, code: -32_700, message: 'The body is not JSON.' };
const batchTooLong = {
  status: 400,
  code: -32_600,
  message: `A batch holds ${BATCH_COUNT_MAX} messages at most.`,
};

/** The context of a message. */
export type McpContext = ParameterizedContext<CallState>;

/**
 * Members of all objects in a message together. The SDK walks a message many times: 85,000 members in one megabyte
 * blocked the process for 0.3 s; this many block it for 40 ms. A result of 200 coverages has fewer.
 */
const MEMBER_COUNT_MAX = 10_000;

/** Objects and arrays together: one megabyte of 349,000 empty ones took 60 ms to parse. */
const OBJECT_COUNT_MAX = 100_000;

/**
 * Reads a message as JSON; undefined when it is not JSON. The SDK does not read it, because it accepts invalid UTF-8
 * and copies the text three times.
 * @throws {ProblemError} `payload_too_large`, `unavailable`, `bad_request` when the client disconnects.
 */
export async function readMessage({ req, state }: McpContext): Promise<unknown> {
  const bytes = await readBytes(req, allowBody(state.context));
  try {
    if (hasTooManyParts(bytes)) throw new ProblemError('payload_too_large');
    return isUtf8(bytes) ? await takeTurn(() => parsed(bytes)) : undefined;
  } finally {
    discard(bytes);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** In JSON a colon outside a string always follows a member's name. Invalid JSON is reported later. */
function hasTooManyParts(bytes: Buffer): boolean {
  let memberCount = 0;
  let objectCount = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) at += 1;
    else if (inText) continue;
    else if (byte === COLON) memberCount += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) objectCount += 1;
  }
  return memberCount > MEMBER_COUNT_MAX || objectCount > OBJECT_COUNT_MAX;
}

const [QUOTE, BACKSLASH, COLON, OPEN_BRACE, OPEN_BRACKET] = [0x22, 0x5c, 0x3a, 0x7b, 0x5b];

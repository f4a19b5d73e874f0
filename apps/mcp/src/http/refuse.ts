import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ProblemCode } from '@insurance-verification/schema';
import type { KnownProblem } from './problem-at.ts';

/** Milliseconds that a refused client may keep sending before the connection is cut. */
const LINGER_MS = 1_000;

/** Extra headers of some refusals. */
const HEADERS: Partial<Record<ProblemCode, Record<string, string>>> = {
  method_not_allowed: { allow: 'POST' },
  unavailable: { 'retry-after': '2' },
  unauthorized: { 'www-authenticate': 'Bearer' },
  unsupported_content_encoding: { 'accept-encoding': 'identity' },
};

/** Refuses a request with a problem document, as the service does. */
export function refuse(req: IncomingMessage, res: ServerResponse, problem: KnownProblem): void {
  answerAndClose(req, res, {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...HEADERS[problem.code] },
    body: JSON.stringify(problem),
  });
}

/** Refuses a message with a JSON-RPC 2.0 error code; the message's id is unknown. */
export function refuseMessage(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, message }: { readonly status: number; readonly code: number; readonly message: string },
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  answerAndClose(req, res, { status, headers: { 'content-type': 'application/json' }, body });
}

interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Answers, and closes the connection afterwards if an unread body is still arriving. An immediate close would let the
 * unread bytes reset the connection, and the client would see the reset instead of the answer. So the rest is discarded
 * until the client stops or the time is up.
 */
function answerAndClose(req: IncomingMessage, res: ServerResponse, { status, headers, body }: Refusal): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const closes = !req.complete;
  res.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    ...(closes && { connection: 'close' }),
  });
  if (!closes) {
    res.end(body);
    return;
  }
  res.write(body);
  req.on('data', discard).resume();
  void finished(req, { signal: AbortSignal.timeout(LINGER_MS) })
    .catch(() => undefined)
    .then(() => res.end());
}

/** Refused connections: Node's parser reports an error again for whatever still arrives on them. */
const refused = new WeakSet<Duplex>();

/** Answers bytes that Node's parser rejects on the socket, since they never become a request, and closes it. */
export function answerClientError(
  err: NodeJS.ErrnoException,
  socket: Duplex,
  problem: (code: ProblemCode) => KnownProblem,
): void {
  if (refused.has(socket)) return;
  if (err.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, problem(problemCodeOf(err.code)));
}

/** Sends a problem as the last thing on a connection that carries no request of ours. */
export function refuseConnection(socket: Duplex, problem: KnownProblem): void {
  refused.add(socket);
  // Node removes its own listener from the socket of a CONNECT. One reset client would then end the process.
  socket.on('error', () => undefined);
  if (!socket.writable || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  const { status } = problem;
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('data', discard).resume();
}

/**
 * Frees the memory of a large chunk now: the garbage collector sees a small object, not the 64 KB behind it. A small one
 * may share its memory with others.
 */
function discard({ buffer, length }: Buffer): void {
  if (length >= 16_384 && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Whether an answer has begun: a second one would be read as its body. Node's own handler checks the same field. */
function isAnswered(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

function problemCodeOf(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

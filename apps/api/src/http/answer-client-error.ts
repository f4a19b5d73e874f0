import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode, problemOf } from '@insurance-verification/schema';
import type { Log } from '../telemetry/log.ts';
import { LINGER_MS } from './linger.ts';

/** A socket of Node's server. Its own handler of `clientError` asks the same field for the answer under way. */
type ServerSocket = Duplex & { _httpMessage?: ServerResponse | null };

/** Refused connections: what still arrives on one makes Node's parser complain again. */
const refused = new WeakSet<Duplex>();

/** What Node's parser refuses never becomes a request: it is answered on the socket, and the socket is closed. */
export function answerClientError(err: NodeJS.ErrnoException, socket: Duplex, log: Log): void {
  if (refused.has(socket)) return;
  if (err.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, problemCodeOf(err.code), log);
}

/** A problem as the last thing on a connection that carries no request of ours; logged, since no call is. */
export function refuseConnection(socket: ServerSocket, code: ProblemCode, log: Log): void {
  refused.add(socket);
  // Node takes its own listener off the socket of a CONNECT. One client that is reset meanwhile would end the process.
  socket.on('error', () => undefined);
  // Once an answer has begun, a second one would be read as its body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const { status } = PROBLEMS[code];
  const trace = traceOfCall(socket._httpMessage) ?? randomUUID();
  const body = JSON.stringify(problemOf(code));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nrequest-id: ${trace}\r\nconnection: close\r\n\r\n${body}`,
  );
  log.info({ trace, status, problem: code }, 'refused a connection');
  // Closed while bytes are unread, the connection would be reset, and the answer lost with it.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** The trace of a call whose body was still to come: the refusal is its answer. */
function traceOfCall(res: ServerResponse | null | undefined): string | undefined {
  return res && !res.req.complete ? String(res.getHeader('request-id')) : undefined;
}

function problemCodeOf(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

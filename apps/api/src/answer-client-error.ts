import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode, problemOf } from '@insurance-verification/schema';
import { LINGER_MS } from './linger.ts';

/** Refused connections: what still arrives on one makes Node's parser complain again. */
const refused = new WeakSet<Duplex>();

/** What Node's parser refuses never becomes a request: it is answered on the socket, and the socket is closed. */
export function answerClientError(err: NodeJS.ErrnoException, socket: Duplex): void {
  if (refused.has(socket)) return;
  if (err.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, problemCodeOf(err.code));
}

/** A problem as the last thing on a connection that carries no request of ours. */
export function refuseConnection(socket: Duplex, code: ProblemCode): void {
  refused.add(socket);
  // Node takes its own listener off the socket of a CONNECT. One client that is reset meanwhile would end the process.
  socket.on('error', () => undefined);
  if (!socket.writable || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  const { status } = PROBLEMS[code];
  const body = JSON.stringify(problemOf(code));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // Closed while bytes are unread, the connection would be reset, and the answer lost with it.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Whether an answer has begun: a second one would be read as its body. Node's own handler asks the same field. */
function isAnswered(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

function problemCodeOf(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

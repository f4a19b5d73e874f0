import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ProblemCode, problemOf, PROBLEMS } from '@insurance-verification/schema';
import type { Middleware, ParameterizedContext } from 'koa';
import { discard } from '../body/read-body.ts';
import type { CallState } from '../procedure/context/app.ts';
import { problemBody, ProblemError, toPublicError } from '../procedure/problem.ts';
import type { Log } from '../telemetry/log.ts';
import { LINGER_MS } from './every-call.ts';
import { answerTrpc, type FindTrpcEndpoint } from './trpc-endpoint.ts';

/** Answers whatever is thrown below it, and calls of tRPC in its shape. */
export function answerErrors(trpcEndpointOf: FindTrpcEndpoint): Middleware<CallState> {
  return async (koa, next) => {
    try {
      await next();
    } catch (err) {
      const trpcEndpoint = trpcEndpointOf(koa.url);
      if (trpcEndpoint) await answerTrpc(koa, trpcEndpoint, toPublicError(err));
      else answerError(koa, err);
    }
  };
}

/** Sends an error: a 422 as `{ detail }`, any other as problem+json. */
function answerError(koa: ParameterizedContext<CallState>, thrown: unknown): void {
  const err = toPublicError(thrown);
  koa.state.context.call.failed(err);
  if (!(err instanceof ProblemError)) {
    koa.status = 422;
    koa.type = 'application/json';
    koa.body = JSON.stringify(err.body);
    return;
  }
  const { status } = PROBLEMS[err.code];
  koa.status = status;
  koa.set(err.headers);
  koa.type = 'application/problem+json';
  koa.body = JSON.stringify(problemBody(err, koa.state.context.call.trace));
}

/** A socket of Node's server. Node's own `clientError` handler reads the same field for the pending answer. */
type ServerSocket = Duplex & { _httpMessage?: ServerResponse | null };

/** Refused connections: whatever else arrives on one makes Node's parser complain again. */
const refused = new WeakSet<Duplex>();

/** Answers on the socket what Node's parser refuses, since it never becomes a request, and closes the socket. */
export function answerClientError(err: NodeJS.ErrnoException, socket: Duplex, log: Log): void {
  if (refused.has(socket)) return;
  if (err.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, problemCodeOf(err.code), log);
}

/**
 * Sends a problem as the last thing on a connection that carries no request of ours; logged here, as no call logs it.
 */
export function refuseConnection(socket: ServerSocket, code: ProblemCode, log: Log): void {
  refused.add(socket);
  // Node removes its own listener from the socket of a CONNECT. Without one, a single reset client would end the
  // process.
  socket.on('error', () => undefined);
  // Once an answer has begun, the client would read a second one as its body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const { status } = PROBLEMS[code];
  const trace = traceOfCall(socket._httpMessage) ?? randomUUID();
  const body = JSON.stringify(problemOf(code));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nrequest-id: ${trace}\r\ndate: ${new Date().toUTCString()}\r\n` +
      `cache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  );
  log.info({ trace, status, problem: code }, 'refused a connection');
  // Closing with unread bytes would reset the connection, and the answer would be lost with it.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('data', discard).resume();
}

/** The trace of a call whose body was still arriving: the refusal is its answer. */
function traceOfCall(res: ServerResponse | null | undefined): string | undefined {
  return res && !res.req.complete ? String(res.getHeader('request-id')) : undefined;
}

function problemCodeOf(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

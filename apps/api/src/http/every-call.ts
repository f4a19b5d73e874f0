import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PROBLEMS } from '@insurance-verification/schema';
import { isOfPageWatch } from '@insurance-verification/store';
import type { Middleware, ParameterizedContext } from 'koa';
import { discard, isWaiting } from '../body/read-body.ts';
import { isHttps } from '../network/own-pages.ts';
import type { App, CallState } from '../procedure/context/app.ts';
import { Call } from '../procedure/context/call.ts';
import { ProblemError, type PublicError } from '../procedure/problem.ts';
import { beginSpan, type Span } from '../telemetry/tracing.ts';
import { STRICT_TRANSPORT_SECURITY } from './guard-request.ts';

/** Creates the call that handlers, the log and the metrics use, and sends the client its id. What came over TLS is asked to come so again. */
export function openCall(app: App): Middleware<CallState> {
  const isOverTls = isHttps(app.config.publicUrl);
  return async (koa, next) => {
    const call = new Call(app, koa.req, koa.res);
    koa.state.context = { app, call };
    koa.state.operation = 'unknown';
    koa.res.setHeader('request-id', call.trace);
    if (isOverTls || koa.req.headers['x-forwarded-proto'] === 'https')
      koa.res.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
    await next();
  };
}

/**
 * Writes one line and one observation per call. Logs the operation instead of the path, which any caller can write. A call
 * that a fault with a line of its own has failed names only the code: of a full disk there were 1,400 stacks.
 */
export function logCall(
  { log, metrics, shortage, store }: App,
  { operation, context }: CallState,
  { status, durationMs }: { readonly status: number; readonly durationMs: number },
): void {
  const { trace, callerTrace, key, requestId, err } = context.call;
  metrics.httpSeconds.observe({ operation, status }, durationMs / 1000);
  const line = {
    trace,
    caller_trace: callerTrace,
    operation,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    account_id: key?.accountId,
    key_id: key?.keyId,
    request_id: requestId,
    problem: err instanceof ProblemError ? err.code : undefined,
    client_address: isRefusal(err) ? (context.call.address ?? 'unknown') : undefined,
  };
  const cause = err?.cause ?? err;
  const isUnavailable = err instanceof ProblemError && err.code === 'unavailable';
  const isReported =
    isOfPageWatch(cause) || (isUnavailable && (shortage.lasts() || store.pages.fault !== null));
  if (status < 500) log.info(line, 'answered');
  else if (shortage.note(cause) || isReported) log.info({ ...line, code: codeOf(cause) }, 'answered');
  else log.error({ ...line, err: cause }, 'failed');
}

function codeOf(err: unknown): unknown {
  return err instanceof Error && 'code' in err ? err.code : undefined;
}

/** Refused callers: not allowed, or asking too much. A defender looks into these, so the line has their address. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 413, 429]);

function isRefusal(err: PublicError | undefined): boolean {
  return err instanceof ProblemError && REFUSED.has(PROBLEMS[err.code].status);
}

/** The stage of an operation, by its group; groups not listed move no request on. */
const STAGES: Readonly<Record<string, string>> = {
  requests: 'intake',
  work: 'verification',
  verificationOutput: 'output',
  heldOutputs: 'output',
  trpc: 'trpc', // a batch: its calls share one HTTP request, and each request has a step of its own
};

interface Answered extends Span {
  readonly status: number;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Traces a call that changed a request. Reads and heartbeats are left out: a client that polls, or is on the phone for
 * an hour, would fill the trace with them.
 */
export function traceCall(
  { tracing }: App,
  { operation, context }: CallState,
  { startedAt, durationMs, status, method, headers }: Answered,
): void {
  const { trace, key, requests } = context.call;
  if (!tracing || method !== 'POST') return;
  if (operation === 'work.heartbeat') return;
  const stage = operation === 'requests.redeliver' ? 'delivery' : STAGES[operation.split('.')[0] ?? ''];
  if (stage === undefined) return;
  for (const [requestId, { isFirst }] of requests) {
    tracing.step({
      requestId,
      name: isFirst ? 'intake requests.create' : `${stage} ${operation}`,
      kind: 'server',
      startedAt,
      durationMs,
      attributes: {
        'ivs.trace': trace,
        'ivs.account_id': key?.accountId ?? null,
        'ivs.key_id': key?.keyId ?? null,
        'http.request.method': method,
        'http.response.status_code': status,
      },
      failed: status >= 500,
      isFirst,
      traceparent: String(headers['traceparent'] ?? ''),
    });
  }
}

/**
 * Settles each call when its answer is sent or its client gone: releases its body's memory, writes its line and trace.
 */
export function settleCall(app: App): Middleware<CallState> {
  return async (koa, next) => {
    const span = beginSpan();
    const settle = () => {
      koa.state.context.call.bodyAllowance?.release();
      const ended = span();
      // No answer went out where the client hung up before: nginx's status for it.
      const status = koa.res.headersSent ? koa.res.statusCode : 499;
      logCall(app, koa.state, { status, durationMs: ended.durationMs });
      const { method, headers } = koa;
      traceCall(app, koa.state, { ...ended, status, method, headers });
    };
    await next();
    // If the client disconnected, the response is closed already, but the call did its work.
    if (koa.res.closed) settle();
    else koa.res.once('close', settle);
  };
}

/**
 * Closes a connection that must not be reused, after the answer is sent; on a connection that stays open, discards the
 * rest of an unread body.
 */
export function endConnection(isOpen: () => boolean): Middleware<CallState> {
  return async (koa, next) => {
    await next();
    // Node would keep connections of finished calls open, and a drain would wait for them in vain.
    if (!isOpen() || isWaiting(koa.req)) koa.set('connection', 'close');
    if (koa.req.complete) return;
    if (koa.response.get('connection') === 'close' && typeof koa.body === 'string') lingerOn(koa, koa.body);
    // Node would read and drop it all the same, but as garbage: 100 MB of it in a flood.
    else koa.req.on('data', discard);
  };
}

/** Lets the client read the answer before the connection closes while it is still sending. */
function lingerOn(koa: ParameterizedContext<CallState>, answer: string): void {
  const { type, length } = koa;
  koa.body = lingering(answer, koa.req);
  koa.type = type;
  if (length !== undefined) koa.length = length;
}

/** Milliseconds a refused client may keep sending before the connection is closed. */
export const LINGER_MS = 1_000;

/**
 * An answer for a client that is still sending a body that is not read. Closed at once, the connection would be reset
 * because of the unread bytes, and the client would see the reset instead of the answer. So the answer goes out whole,
 * then incoming bytes are dropped until the client stops or the time is up.
 */
function lingering(answer: string, req: IncomingMessage): Readable {
  return Readable.from(answerThenDrain(answer, req));
}

async function* answerThenDrain(answer: string, req: IncomingMessage) {
  yield answer;
  req.on('data', discard).resume();
  // Rejects when the client disconnects or the time is up; the answer ends either way.
  await finished(req, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => undefined);
}

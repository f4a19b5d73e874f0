import type { ErrorReason } from '@insurance-verification/schema';
import {
  isDatabaseUnavailable,
  keepX12Exchanges,
  nextX12ControlNumbers,
  type PlainX12Exchange,
  type Store,
  groupCommit,
} from '@insurance-verification/store';
import { assertDescriptors, shortageOf } from '@insurance-verification/webhook';
import { Agent, errors, request as send } from 'undici';
import type { PayerConnection } from '../../config/payer-connections.ts';
import { decodeAnswer, unwrapAnswer, wrapInquiry } from './envelope.ts';

/** The outcome of one posted 270. */
export type Exchanged = ExchangeFacts &
  (
    | { readonly kind: 'answered'; readonly text: string }
    | {
        readonly kind: 'failed';
        readonly reason: ErrorReason;
        /** For logs and staff: `HTTP 503`, `timeout`, `no HTTP`, `connection`. */
        readonly code: string;
        /** False where the payer may have done the work: it may charge for a retry. */
        readonly mayRetry: boolean;
        /** False where no byte of the inquiry was sent. */
        readonly isSent: boolean;
        /** `Retry-After`; null without one. */
        readonly retryAfterSeconds: number | null;
      }
  );

interface ExchangeFacts {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when no status line came. */
  readonly statusCode: number | null;
  /** The raw answer; null when nothing came. */
  readonly received: Buffer | null;
}

/**
 * Posts a 270 and returns what came back. Resolves whatever the payer or the network does; rejects only when aborted, or
 * where this machine lacks what a connection takes: see `shortageOf`.
 */
export interface Exchange {
  (connection: PayerConnection, inquiry: string, signal: AbortSignal): Promise<Exchanged>;
  close(): Promise<void>;
}

export interface ExchangeOptions {
  /** PEM of authorities in addition to Node's own; certificates are always verified. */
  readonly ca?: string | undefined;
  /** The whole exchange, including connecting and reading: the CORE rule's 20 s. */
  readonly cutMs?: number;
}

const CUT_MS = 20_000;
const CONNECT_MS = 5_000;

/** Maximum bytes of an answer. The longest in the field are some 100 KB. */
const ANSWER_BYTES_MAX = 4_194_304;

/** The only connection pool to payers. Follows no redirects and uses no environment proxies. */
export function createExchange({ ca, cutMs = CUT_MS }: ExchangeOptions = {}): Exchange {
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_MS, cutMs), ...(ca !== undefined && { ca }) },
    connections: 64,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0, // the cut below bounds the whole exchange
    bodyTimeout: 0,
  });

  const exchange = async (connection: PayerConnection, inquiry: string, signal: AbortSignal) => {
    const startedAt = new Date();
    const begun = performance.now();
    const cut = AbortSignal.timeout(cutMs);
    let statusCode: number | null = null;
    let received: Buffer | null = null;
    const facts = () => ({ startedAt, durationMs: performance.now() - begun, statusCode, received });
    try {
      const { headers, body } = wrapInquiry(connection, inquiry, startedAt);
      const res = await send(connection.url, {
        method: 'POST',
        headers,
        body,
        dispatcher: agent,
        signal: AbortSignal.any([signal, cut]),
      });
      statusCode = res.statusCode;
      received = await readBounded(res.body);
      if (received.length > ANSWER_BYTES_MAX) return failed(facts(), 'payer_response_invalid', 'too large');
      if (statusCode < 200 || statusCode > 299) {
        return { ...failedByStatus(facts(), statusCode), retryAfterSeconds: retryAfterOf(res.headers) };
      }
      return { ...facts(), kind: 'answered' as const, text: unwrapAnswer(decodeAnswer(received)) };
    } catch (err) {
      if (signal.aborted) throw err; // the lease is lost or the process ends: there is nothing to report
      if (shortageOf(err) !== null) throw err;
      if (isUnsent(err)) assertDescriptors(); // without one the system's resolver knows no name
      return failedByError(facts(), err, cut.aborted);
    }
  };
  return Object.assign(exchange, { close: () => agent.destroy() });
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) break; // leaving the loop closes the connection
  }
  return Buffer.concat(chunks);
}

function failed(facts: ExchangeFacts, reason: ErrorReason, code: string, mayRetry = false) {
  return { ...facts, kind: 'failed' as const, reason, code, mayRetry, isSent: true, retryAfterSeconds: null };
}

function failedByStatus(facts: ExchangeFacts, statusCode: number) {
  const code = `HTTP ${statusCode}`;
  if (statusCode === 429) return failed(facts, 'payer_throttled', code, true);
  if (statusCode === 401 || statusCode === 403) return failed(facts, 'portal_credentials_invalid', code);
  if (statusCode === 408 || statusCode >= 500) return failed(facts, 'payer_unavailable', code, true);
  return failed(facts, 'payer_response_invalid', code);
}

/** Errors raised before a byte of the inquiry was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const codeOf = (err: unknown): string =>
  err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : 'connection';

const isUnsent = (err: unknown): boolean => UNSENT.has(codeOf(err));

/** Codes of a connection whose TLS did not begin. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/;

function failedByError(facts: ExchangeFacts, err: unknown, isCut: boolean) {
  if (err instanceof errors.ConnectTimeoutError)
    return { ...failed(facts, 'payer_unavailable', 'connect timeout', true), isSent: false };
  if (isCut) return failed(facts, 'payer_unavailable', 'timeout');
  // Its own code is `HPE_…` or missing: staff see what it means.
  if (err instanceof errors.HTTPParserError) return failed(facts, 'payer_unavailable', 'no HTTP');
  const code = codeOf(err);
  const isSent = !isUnsent(err) && !TLS_CODE.test(code);
  return { ...failed(facts, 'payer_unavailable', code, isUnsent(err)), isSent };
}

function retryAfterOf(headers: Record<string, unknown>): number | null {
  const text = headers['retry-after'];
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Stores one exchange; resolves when it is durable. */
export type ExchangeKeeper = (exchange: PlainX12Exchange) => Promise<void>;

/** Bytes above which an answer has a statement of its own: 64 of the longest in one statement would be a quarter of a gigabyte. */
const SHARED_BYTES_MAX = 65_536;

/** Exchanges that end together share a statement. */
export function createExchangeKeeper(store: Store): ExchangeKeeper {
  const keepShared = groupCommit({
    commit: async (exchanges: readonly PlainX12Exchange[]) => {
      await keepX12Exchanges(store, exchanges);
      return exchanges.map(() => undefined);
    },
    failsAll: isDatabaseUnavailable,
  });
  return (exchange) =>
    (exchange.answer?.length ?? 0) > SHARED_BYTES_MAX
      ? keepX12Exchanges(store, [exchange])
      : keepShared(exchange);
}

/** Numbers taken at once. Those left over at the process's end are never used: there are a billion. */
const BLOCK_COUNT = 50;

/** Hands out control numbers that no other inquiry has, from blocks that this process has taken. */
export function createControlNumbers(store: Store): () => Promise<number> {
  const taken: number[] = [];
  let taking: Promise<void> | null = null;
  const take = async () => {
    try {
      taken.push(...(await nextX12ControlNumbers(store, BLOCK_COUNT)));
    } finally {
      taking = null;
    }
  };
  return async () => {
    for (;;) {
      const number = taken.shift();
      if (number !== undefined) return number;
      await (taking ??= take());
    }
  };
}

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestInfo } from '@insurance-verification/schema';
import {
  type AnswerContext,
  type Finding,
  type InquiryContent,
  readAnswer,
  type ReadAnswer,
  todayIn,
  toEligibilityInquiry,
  writeEligibilityInquiry,
} from '@insurance-verification/x12';
import type { PayerConnection } from '../../config/payer-connections.ts';
import type { Exchange, Exchanged } from './create-exchange.ts';

export interface AskOptions {
  readonly exchange: Exchange;
  readonly connection: PayerConnection;
  readonly request: RequestInfo;
  readonly requestId: string;
  /** The fields that this inquiry has. */
  readonly content: InquiryContent;
  /** Which inquiry of the request it is, from 1. */
  readonly number: number;
  /** The day to ask about, `YYYY-MM-DD`; null for the day of asking, in the payer's zone. */
  readonly serviceDate: string | null;
  readonly payerNames: readonly string[];
  /** The next control number, unused by any interchange to any payer. */
  readonly nextControlNumber: () => Promise<number>;
  /** Called with an exchange before the next one begins. Keeping the last one is up to the caller. */
  readonly keep: (exchange: PayerExchange) => Promise<void>;
  /** Milliseconds before each retry; the length is the number of retries. */
  readonly retryDelaysMs?: readonly number[];
  readonly signal: AbortSignal;
}

/** One exchange and the finding read from it. */
export interface PayerExchange {
  readonly number: number;
  readonly content: InquiryContent;
  readonly controlNumber: number;
  readonly inquiry: string;
  readonly exchanged: Exchanged;
  /** Null when the payer gave none. */
  readonly answer: ReadAnswer | null;
  readonly finding: Finding;
}

const RETRY_DELAYS_MS = [500, 2_000];

/** A payer that asks for a longer pause is left to the next channel. */
const RETRY_AFTER_SECONDS_MAX = 5;

/**
 * Asks a payer about a request, and again when it says that it cannot answer at the moment. An inquiry that may have
 * reached a payer which then fell silent is not repeated: it may be charged twice. A repeated inquiry carries the same
 * trace.
 * @returns the last exchange.
 */
export async function askPayer(options: AskOptions): Promise<PayerExchange> {
  const { retryDelaysMs = RETRY_DELAYS_MS, signal } = options;
  for (let attempt = 0; ; attempt++) {
    const asked = await askOnce(options);
    const { exchanged, finding } = asked;
    const delayMs = retryDelaysMs[attempt];
    if (finding.kind === 'result' || !finding.mayRetry || delayMs === undefined) return asked;
    const askedForSeconds = exchanged.kind === 'failed' ? (exchanged.retryAfterSeconds ?? 0) : 0;
    if (askedForSeconds > RETRY_AFTER_SECONDS_MAX) return asked;
    await options.keep(asked);
    const jittered = delayMs * (0.8 + Math.random() * 0.4);
    await wait(Math.max(jittered, askedForSeconds * 1_000), undefined, { signal });
  }
}

async function askOnce(options: AskOptions): Promise<PayerExchange> {
  const { exchange, connection, request, requestId, content, number, signal } = options;
  const askedAt = new Date();
  const serviceDate = options.serviceDate ?? todayIn(connection.timeZone, askedAt);
  const controlNumber = await options.nextControlNumber();
  const inquiry = writeEligibilityInquiry(
    toEligibilityInquiry(request, {
      requestId,
      traceOrigin: connection.traceOrigin,
      payerId: connection.x12PayerId,
      serviceDate,
      askedAt,
      content,
    }),
    {
      sender: connection.sender,
      receiver: connection.receiver,
      controlNumber,
      writtenAt: askedAt,
      usage: connection.usage,
    },
  );
  const exchanged = await exchange(connection, inquiry, signal);
  const asked = { number, content, controlNumber, inquiry, exchanged };
  if (exchanged.kind === 'answered') {
    const answer = readAnswer(exchanged.text, contextOf(exchanged, options));
    return { ...asked, answer, finding: answer.finding };
  }
  const { reason, code, mayRetry } = exchanged;
  const finding = { kind: 'no_result', reason, payerCodes: [code], mayRetry, isUnsure: false } as const;
  return { ...asked, answer: null, finding: { ...finding, insuranceData: [] } };
}

/** The request and the payer that an answer is read for, when it arrives or is read again. */
export function contextOf(
  { startedAt, durationMs }: Pick<Exchanged, 'startedAt' | 'durationMs'>,
  {
    connection,
    request,
    requestId,
    serviceDate,
    payerNames,
  }: Pick<AskOptions, 'connection' | 'request' | 'requestId' | 'serviceDate' | 'payerNames'>,
): AnswerContext {
  return {
    request,
    requestId,
    serviceDate: serviceDate ?? todayIn(connection.timeZone, startedAt),
    payerNames,
    payerTimeZone: connection.timeZone,
    receivedAt: new Date(startedAt.getTime() + durationMs),
    personUuid: personUuidOf(requestId),
  };
}

/** The same for every answer to a request, so that a repeated answer is the same result. UUID version 8. */
function personUuidOf(requestId: string): string {
  const hex = createHash('sha256').update(`person of ${requestId}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

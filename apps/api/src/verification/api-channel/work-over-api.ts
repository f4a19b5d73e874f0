import { ERROR_REASONS, FailureReason } from '@insurance-verification/schema';
import {
  type Caller,
  type ClaimedWork,
  DEFAULT_ACCOUNT_ID,
  type ExchangeCodes,
  failWork,
  type LocalWorker,
  retryWork,
  type Route,
  type Store,
  type PlainX12Exchange,
  submitWork,
} from '@insurance-verification/store';
import type { Finding } from '@insurance-verification/x12';
import type { PayerConnection } from '../../config/payer-connections.ts';
import { traceResult } from '../../output/trace-result.ts';
import type { Hints } from '../../procedure/context/app.ts';
import type { BatchPace } from '../../queue/batch-pace.ts';
import { untilWritten } from '../../queue/in-flight.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Shortage } from '../../telemetry/shortage.ts';
import { beginSpan, type Tracing } from '../../telemetry/tracing.ts';
import type { PayerExchange } from './ask-payer.ts';
import type { CodeAnswers } from './code-answers.ts';
import type { Exchange, Exchanged, ExchangeKeeper } from './create-exchange.ts';
import { askInquiries } from './inquiries.ts';
import { readKeptInquiries } from './kept-inquiries.ts';
import type { Shown } from './payer-health.ts';

export interface ApiChannelTools {
  readonly store: Store;
  /** For locks that last, which a transaction pooler does not keep. */
  readonly directUrl: string;
  readonly localWorker?: LocalWorker | undefined;
  readonly exchange: Exchange;
  readonly batchPace: BatchPace;
  readonly shortage: Shortage;
  /** The routes of all payers: the next channel when this one cannot verify. */
  readonly routes: readonly Route[];
  readonly payerNames: readonly string[];
  /** Announces that a result is on its way. */
  readonly wakeDelivery: () => void;
  readonly hints: Hints;
  readonly retryDelaysMs?: readonly number[];
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/** Shared by all requests of one channel. */
export interface WorkingTools extends ApiChannelTools {
  /** The next control number, unused by any interchange to any payer. */
  readonly nextControlNumber: () => Promise<number>;
  readonly keepExchange: ExchangeKeeper;
  readonly codeAnswers: CodeAnswers;
}

/** How the access log and the attempts name the channel. */
export const API_CHANNEL: Caller = {
  keyId: 'api-channel',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'live',
  acrossAccounts: true,
};

/** What asking about one request takes in addition. */
interface Asking {
  readonly connection: PayerConnection;
  /**
   * Called with what each exchange shows of the payer, in order. Resolves to whether it failed by this request, since the
   * payer answers others: then it counts as an attempt.
   */
  readonly note: (shown: Shown) => Promise<boolean>;
  /** The request only tries whether a payer that was down answers again: it is asked once. */
  readonly isProbe: boolean;
}

/**
 * Verifies one leased request by asking its payer, and submits the finding: a result; for rejected patient data, its
 * reason, for good; for anything else, the next channel of the route. A payer that does not answer has found nothing out:
 * the request goes back, and is asked for again later.
 */
export async function workOverApi(
  tools: WorkingTools,
  work: ClaimedWork,
  { connection, note, isProbe }: Asking,
  signal: AbortSignal,
): Promise<void> {
  const { payerNames, retryDelaysMs, codeAnswers } = tools;
  const { requestId, accountId, payerId, serviceDate, gender } = work;
  const asking = { connection, request: work.request.input, requestId, serviceDate, payerNames };
  const evidenceOf = (asked: PayerExchange, codes: ExchangeCodes | null): PlainX12Exchange => {
    const { number: inquiryNumber, controlNumber, inquiry, exchanged, finding } = asked;
    const { startedAt, durationMs, statusCode, received: answer } = exchanged;
    // An answer for codes need not repeat the status.
    const errorReason = finding.kind === 'result' || isOfCodes(codes) ? null : finding.reason;
    const { payerCodes } = finding;
    const exchange = { requestId, accountId, payerId, controlNumber, startedAt, durationMs, statusCode };
    reportExchange(tools, work, asked);
    return { ...exchange, errorReason, payerCodes, inquiry, answer, inquiryNumber, ...(codes && { codes }) };
  };
  let isFaultOfRequest = false;
  const noteAsked = async ({ finding, exchanged }: PayerExchange) => {
    if (await note(shownBy(finding, exchanged))) isFaultOfRequest = true;
  };
  const delaysMs = isProbe || work.attemptNumber > 1 ? [] : retryDelaysMs; // it is tried later anyway
  const { finding, last } = await askInquiries({
    ...asking,
    gender: gender ?? null,
    exchange: tools.exchange,
    codeAnswers: {
      ...codeAnswers,
      judge: (...of) => untilWritten(signal, () => codeAnswers.judge(...of)),
    },
    nextControlNumber: () => untilWritten(signal, tools.nextControlNumber),
    // Before the next inquiry: if the process ends in between, the answer is read again and not asked for.
    keep: async (one, codes) => {
      const exchange = evidenceOf(one, codes);
      await untilWritten(signal, () => tools.keepExchange(exchange));
      await noteAsked(one);
    },
    kept: await readKeptInquiries(tools.store, work),
    ...(delaysMs && { retryDelaysMs: delaysMs }),
    signal,
  });
  const exchange = last && evidenceOf(last.asked, last.codes);
  const exchanged = last?.asked.exchanged ?? null;
  const shown = shownBy(finding, exchanged);
  if (last) await noteAsked(last.asked);
  else await note(shown);
  // One commit has a result and the exchange that it was read from.
  if (finding.kind === 'result')
    return untilWritten(signal, () => handIn(tools, work, { finding, exchange }));
  if (exchange) await untilWritten(signal, () => tools.keepExchange(exchange));
  const isRetried =
    shown.kind !== 'answered' &&
    (await untilWritten(signal, () =>
      tryLater(tools, work, {
        finding,
        counts: shown.kind === 'unanswered' && !isProbe && isFaultOfRequest,
        retryAfterSeconds: exchanged?.kind === 'failed' ? exchanged.retryAfterSeconds : null,
      }),
    ));
  if (!isRetried) await untilWritten(signal, () => fail(tools, work, finding));
}

function isOfCodes(codes: ExchangeCodes | null): boolean {
  return codes !== null && Object.values(codes).some(({ answered }) => answered > 0);
}

/** What an exchange shows of the payer; `exchanged` is null for a kept answer. */
function shownBy(finding: Finding, exchanged: Exchanged | null): Shown {
  if (finding.kind === 'result') return { kind: 'answered' };
  const { reason, payerCodes } = finding;
  if (reason === 'payer_throttled') return { kind: 'slowed' };
  const isNoX12 =
    reason === 'payer_response_invalid' && (exchanged?.kind === 'failed' || payerCodes.includes(NO_X12));
  if (reason !== 'payer_unavailable' && !isNoX12) return { kind: 'answered' };
  return { kind: 'unanswered', isSent: exchanged?.kind !== 'failed' || exchanged.isSent };
}

/** How the reader names an answer without an interchange: a page, an empty body. */
const NO_X12 = 'X12 interchange_missing';

type NoResult = Extract<Finding, { readonly kind: 'no_result' }>;

interface Retry {
  readonly finding: NoResult;
  /** The payer answers others. */
  readonly counts: boolean;
  /** As the payer asked for it; null: it did not. */
  readonly retryAfterSeconds: number | null;
}

/** Seconds until a request that the payer did not answer is asked for again, by the number of its attempts. */
const pauseSecondsAfter = (attemptNumber: number): number =>
  attemptNumber <= 3 ? 5 : attemptNumber <= 10 ? 30 : 120;

/** The longest pause that a payer can ask for. */
const RETRY_AFTER_SECONDS_MAX = 900;

/** Returns a request to the channel; false where its attempts there are used up. */
async function tryLater(
  { store, routes, log }: ApiChannelTools,
  work: ClaimedWork,
  { finding, counts, retryAfterSeconds }: Retry,
): Promise<boolean> {
  const { payerId, attemptNumber } = work;
  const { payerCodes, reason } = finding;
  const channels = routes.find((route) => route.payerId === payerId)?.channels;
  const { attemptCountMax = 1 } = channels?.find(({ source }) => source === 'api') ?? {};
  const retried = await retryWork(store, {
    ...leaseOf(work),
    errorReason: FailureReason.parse(reason),
    evidence: { note: noteOf(payerCodes) },
    pauseSeconds: Math.max(
      pauseSecondsAfter(attemptNumber),
      Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX),
    ),
    attemptCountMax: counts ? attemptCountMax : null,
  });
  log.info(
    { ...lineOf(work, payerCodes), error_reason: reason, next: retried.kind },
    'asked over X12: no answer',
  );
  return retried.kind !== 'used_up';
}

const noteOf = (payerCodes: readonly string[]): string | null =>
  payerCodes.length > 0 ? `The payer answered ${payerCodes.join(', ')}.` : null;

/** Reports an exchange to the metrics and the trace. */
function reportExchange(
  { metrics, tracing }: ApiChannelTools,
  { requestId, payerId }: ClaimedWork,
  { number, controlNumber, exchanged, finding }: PayerExchange,
): void {
  const { startedAt, durationMs, statusCode } = exchanged;
  const outcome = finding.kind === 'result' ? 'result' : finding.reason;
  metrics.payerSeconds.observe({ payer: payerId, outcome }, durationMs / 1_000);
  metrics.inquiries.inc({ payer: payerId, number: String(number) });
  tracing?.step({
    requestId,
    name: 'verification x12 exchange',
    kind: 'client',
    startedAt: startedAt.getTime(),
    durationMs,
    attributes: {
      'ivs.payer': payerId,
      'ivs.inquiry': number,
      'ivs.control_number': controlNumber,
      'ivs.outcome': outcome,
      'http.response.status_code': statusCode,
    },
    failed: exchanged.kind === 'failed',
  });
}

const leaseOf = ({ requestId, leaseToken }: ClaimedWork) => ({ requestId, leaseToken, caller: API_CHANNEL });

const lineOf = ({ requestId, payerId, attemptNumber }: ClaimedWork, payerCodes: readonly string[]) => ({
  request_id: requestId,
  payer: payerId,
  attempt: attemptNumber,
  payer_codes: payerCodes,
});

interface HandIn {
  readonly finding: Extract<Finding, { readonly kind: 'result' }>;
  /** The exchange that it was read from; null where it was kept before. */
  readonly exchange: PlainX12Exchange | null;
}

async function handIn(tools: WorkingTools, work: ClaimedWork, { finding, exchange }: HandIn): Promise<void> {
  const { requestId } = work;
  const { payerCodes } = finding;
  const span = beginSpan();
  const submission = {
    ...leaseOf(work),
    routes: tools.routes,
    insuranceData: finding.insuranceData,
    benefits: { serviceDate: finding.serviceDate, leftOut: finding.leftOut, coverages: finding.benefits },
    // The reader has compared the patients, and knows which of the payer's words is the last name.
    isPatientConfirmed: true,
    evidence: { note: noteOf(payerCodes) },
    ...(exchange && { exchange }),
  };
  const submitted = await submitWork(tools.store, submission, tools.localWorker);
  if (submitted.kind !== 'applied' && exchange) await tools.keepExchange(exchange);
  // The payer answered about somebody else: that is no answer to this request.
  if (submitted.kind === 'mismatch')
    return fail(tools, work, {
      reason: 'payer_response_invalid',
      payerCodes: ['another patient'],
      isUnsure: false,
    });
  if (submitted.kind === 'applied') {
    traceResult(tools.tracing, { requestId, version: submitted.version, ...span() });
  }
  publishMoved(tools);
  tools.log.info({ ...lineOf(work, payerCodes), next: submitted.kind }, 'asked over X12: result');
}

async function fail(
  tools: WorkingTools,
  work: ClaimedWork,
  { reason, payerCodes, isUnsure }: Pick<NoResult, 'reason' | 'payerCodes' | 'isUnsure'>,
): Promise<void> {
  const errorReason = FailureReason.parse(reason);
  const failed = await failWork(tools.store, {
    ...leaseOf(work),
    routes: tools.routes,
    errorReason,
    evidence: { note: noteOf(payerCodes) },
    final: ERROR_REASONS[errorReason].fixedBy === 'patient_data' && !isUnsure,
  });
  if (failed.kind === 'error_verifying') tools.wakeDelivery();
  publishMoved(tools);
  const line = lineOf(work, payerCodes);
  tools.log.info({ ...line, error_reason: errorReason, next: failed.kind }, 'asked over X12: no result');
}

function publishMoved({ hints }: ApiChannelTools): void {
  for (const change of ['request', 'work'] as const) hints.publish(change);
}

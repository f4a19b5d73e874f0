import { ERROR_REASONS, FailureReason } from '@insurance-verification/schema';
import {
  type Caller,
  type ClaimedWork,
  DEFAULT_ACCOUNT_ID,
  failWork,
  type LocalWorker,
  readX12Exchanges,
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
import { askPayer, type PayerExchange, readAnswer } from './ask-payer.ts';
import type { ExchangeKeeper, Exchange } from './create-exchange.ts';
import { decodeAnswer, unwrapAnswer } from './envelope.ts';

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
}

/** How the access log and the attempts name the channel. */
export const API_CHANNEL: Caller = {
  keyId: 'api-channel',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'live',
  acrossAccounts: true,
};

/**
 * Verifies one leased request by asking its payer, and submits the finding: a result; for rejected patient data, its
 * reason, for good; for anything else, the next channel of the route.
 *
 * @returns whether the payer answered, for its breaker.
 */
export async function workOverApi(
  tools: WorkingTools,
  connection: PayerConnection,
  work: ClaimedWork,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, payerNames, retryDelaysMs } = tools;
  const { requestId, accountId, payerId, serviceDate } = work;
  const asking = { connection, request: work.request.input, requestId, serviceDate, payerNames };
  const evidenceOf = (asked: PayerExchange): PlainX12Exchange => {
    const { controlNumber, inquiry, exchanged, finding } = asked;
    const { startedAt, durationMs, statusCode, received: answer } = exchanged;
    const errorReason = finding.kind === 'result' ? null : finding.reason;
    const { payerCodes } = finding;
    const exchange = { requestId, accountId, payerId, controlNumber, startedAt, durationMs, statusCode };
    reportExchange(tools, work, asked);
    return { ...exchange, errorReason, payerCodes, inquiry, answer };
  };
  const kept = await readKeptAnswer(store, work, asking);
  if (kept) {
    await untilWritten(signal, () => handIn(tools, work, kept));
    return isAnswer(kept);
  }
  const asked = await askPayer({
    ...asking,
    exchange: tools.exchange,
    nextControlNumber: () => untilWritten(signal, tools.nextControlNumber),
    keep: (one) => {
      const exchange = evidenceOf(one);
      return untilWritten(signal, () => tools.keepExchange(exchange));
    },
    ...(retryDelaysMs && { retryDelaysMs }),
    signal,
  });
  const { finding } = asked;
  const exchange = evidenceOf(asked);
  // Before the result: if the process ends in between, the kept answer is read again and the payer is not asked twice.
  await untilWritten(signal, () => tools.keepExchange(exchange));
  await untilWritten(signal, () => handIn(tools, work, finding));
  return isAnswer(finding);
}

function isAnswer(finding: Finding): boolean {
  return finding.kind === 'result' || !['payer_unavailable', 'payer_throttled'].includes(finding.reason);
}

/** Reports an exchange to the metrics and the trace. */
function reportExchange(
  { metrics, tracing }: ApiChannelTools,
  { requestId, payerId }: ClaimedWork,
  { controlNumber, exchanged, finding }: PayerExchange,
): void {
  const { startedAt, durationMs, statusCode } = exchanged;
  const outcome = finding.kind === 'result' ? 'result' : finding.reason;
  metrics.payerSeconds.observe({ payer: payerId, outcome }, durationMs / 1_000);
  tracing?.step({
    requestId,
    name: 'verification x12 exchange',
    kind: 'client',
    startedAt: startedAt.getTime(),
    durationMs,
    attributes: {
      'ivs.payer': payerId,
      'ivs.control_number': controlNumber,
      'ivs.outcome': outcome,
      'http.response.status_code': statusCode,
    },
    failed: exchanged.kind === 'failed',
  });
}

/** Fails the request without asking: the payer's breaker is open, and the next channel follows. */
export async function passToNextChannel(tools: ApiChannelTools, work: ClaimedWork): Promise<void> {
  await handIn(tools, work, {
    kind: 'no_result',
    reason: 'payer_unavailable',
    payerCodes: ['breaker'],
    mayRetry: true,
    isUnsure: false,
    insuranceData: [],
  });
}

/**
 * The kept answer to an inquiry whose process ended before it could submit it. Reread, not asked for again: payers
 * charge for each inquiry.
 */
async function readKeptAnswer(
  store: Store,
  { requestId, history }: ClaimedWork,
  asking: Parameters<typeof readAnswer>[2],
): Promise<Finding | null> {
  const before = history.at(-1);
  if (before?.channel !== 'api' || before.outcome !== 'lease_expired') return null;
  const kept = (await readX12Exchanges(store, requestId)).at(-1);
  if (
    !kept ||
    kept.errorReason !== null ||
    kept.answer === null ||
    kept.startedAt < new Date(before.started_at)
  )
    return null;
  return readAnswer(unwrapAnswer(decodeAnswer(Buffer.from(kept.answer))), kept, asking);
}

async function handIn(tools: ApiChannelTools, work: ClaimedWork, finding: Finding): Promise<void> {
  const { store, routes, log } = tools;
  const { requestId, leaseToken } = work;
  const lease = { requestId, leaseToken, caller: API_CHANNEL };
  const { payerCodes } = finding;
  const line = {
    request_id: requestId,
    payer: work.payerId,
    attempt: work.attemptNumber,
    payer_codes: payerCodes,
  };
  const fail = async (errorReason: FailureReason, codes: readonly string[], isUnsure = false) => {
    const note = codes.length > 0 ? `The payer answered ${codes.join(', ')}.` : null;
    const final = ERROR_REASONS[errorReason].fixedBy === 'patient_data' && !isUnsure;
    const failed = await failWork(store, { ...lease, routes, errorReason, evidence: { note }, final });
    if (failed.kind === 'error_verifying') tools.wakeDelivery();
    publishMoved(tools);
    log.info({ ...line, error_reason: errorReason, next: failed.kind }, 'asked over X12: no result');
  };
  if (finding.kind === 'no_result')
    return fail(FailureReason.parse(finding.reason), payerCodes, finding.isUnsure);
  const note = payerCodes.length > 0 ? `The payer answered ${payerCodes.join(', ')}.` : null;
  const span = beginSpan();
  const submission = {
    ...lease,
    routes,
    insuranceData: finding.insuranceData,
    benefits: { serviceDate: finding.serviceDate, leftOut: finding.leftOut, coverages: finding.benefits },
    // The reader has compared the patients, and knows which of the payer's words is the last name.
    isPatientConfirmed: true,
    evidence: { note },
  };
  const submitted = await submitWork(store, submission, tools.localWorker);
  // The payer answered about somebody else: that is no answer to this request.
  if (submitted.kind === 'mismatch') return fail('payer_response_invalid', ['another patient']);
  if (submitted.kind === 'applied') {
    traceResult(tools.tracing, { requestId, version: submitted.version, ...span() });
  }
  publishMoved(tools);
  log.info({ ...line, next: submitted.kind }, 'asked over X12: result');
}

function publishMoved({ hints }: ApiChannelTools): void {
  for (const change of ['request', 'work'] as const) hints.publish(change);
}

import {
  type ClaimedDelivery,
  type AfterAttempt,
  giveUpDelivery,
  setAside,
  type Store,
} from '@insurance-verification/store';
import {
  planAfterAttempt,
  type RetrySchedule,
  type SendResult,
  signWebhook,
  WEBHOOK_HEADERS,
  type WebhookSender,
} from '@insurance-verification/webhook';
import { untilWritten } from '../queue/until-written.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { AttemptWriter } from './create-attempt-writer.ts';
import type { HostAnswer } from './create-lanes.ts';

export interface DeliveryTools {
  readonly store: Store;
  readonly sender: WebhookSender;
  readonly writeAttempt: AttemptWriter;
  readonly schedule: RetrySchedule;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/** What came of a claimed delivery. */
export interface Delivered {
  readonly answer: HostAnswer;
  /** Null when nothing was written: the row was not sent, or its lease was lost. */
  readonly next: AfterAttempt | null;
}

const notSent: Delivered = { answer: { verdict: 'neither', durationMs: 0 }, next: null };

/**
 * Makes one attempt and writes down what came of it. `signal` ends it when the lease is lost: from then on another
 * worker may have the row, so nothing is written.
 * @throws when `signal` aborts.
 */
export async function deliverClaimed(
  tools: DeliveryTools,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Delivered> {
  const { store, log } = tools;
  const line = lineOf(claimed);
  if (claimed.claimsExhausted) {
    await giveUpDelivery(store, claimed);
    log.error(line, 'delivery given up: claimed too often without a finished attempt');
    return notSent;
  }
  if (!claimed.message) {
    await setAside(store, claimed);
    log.error(line, 'delivery unreadable: its sealed values do not open');
    return notSent;
  }
  const startedAt = new Date();
  const result = await send(tools.sender, claimed, claimed.message, startedAt, signal);
  signal.throwIfAborted(); // what it came to says nothing of the receiver
  const answer = { verdict: VERDICTS[result.outcome], durationMs: result.durationMs };
  const next = planAfterAttempt({
    schedule: tools.schedule,
    attemptNumber: claimed.roundAttemptNumber,
    result,
    random: Math.random,
  });
  const written = await untilWritten(signal, () =>
    tools.writeAttempt({ lease: claimed, startedAt, ...result, next }),
  );
  if (!written) {
    log.warn(line, 'attempt discarded: the lease was lost');
    return { answer, next: null };
  }
  tools.metrics.deliveryAttempts.inc({ outcome: result.outcome });
  if (next.kind === 'delivered')
    tools.metrics.deliverySeconds.observe((Date.now() - claimed.acceptedAt.getTime()) / 1000);
  const { outcome, statusCode, durationMs } = result;
  tools.tracing?.step({
    requestId: claimed.requestId,
    name: 'delivery attempt',
    kind: 'client',
    startedAt: startedAt.getTime(),
    durationMs,
    attributes: {
      'ivs.delivery_id': claimed.deliveryId,
      'ivs.version': claimed.version,
      'ivs.attempt': claimed.roundAttemptNumber,
      'ivs.outcome': outcome,
      'ivs.next': next.kind,
      'http.response.status_code': statusCode,
    },
    failed: outcome !== 'succeeded',
  });
  log.info({ ...line, outcome, status: statusCode, duration_ms: durationMs, next: next.kind }, 'attempted');
  return { answer, next };
}

/** What a log line says of a delivery: ids alone. */
export function lineOf({ requestId, deliveryId, version }: ClaimedDelivery) {
  return { request_id: requestId, delivery_id: deliveryId, version };
}

/**
 * What an outcome says of the host. A blocked address was not called, and a receiver that answers 410 is well: it only
 * wants no more.
 */
const VERDICTS: Readonly<Record<SendResult['outcome'], HostAnswer['verdict']>> = {
  succeeded: 'delivered',
  http_error: 'failed',
  redirected: 'failed',
  gone: 'neither',
  timeout: 'failed',
  connection_failed: 'failed',
  tls_failed: 'failed',
  dns_failed: 'failed',
  blocked_address: 'neither',
};

function send(
  sender: WebhookSender,
  { deliveryId, version }: ClaimedDelivery,
  { callbackUrl, body, secrets }: NonNullable<ClaimedDelivery['message']>,
  timestamp: Date,
  signal: AbortSignal,
): Promise<SendResult> {
  return sender.send({
    url: callbackUrl,
    headers: {
      'content-type': 'application/json',
      [WEBHOOK_HEADERS.id]: deliveryId,
      [WEBHOOK_HEADERS.timestamp]: String(Math.floor(timestamp.getTime() / 1000)),
      [WEBHOOK_HEADERS.signature]: signWebhook({ id: deliveryId, timestamp, body, secrets }),
      [WEBHOOK_HEADERS.verificationVersion]: String(version),
    },
    body,
    signal,
  });
}

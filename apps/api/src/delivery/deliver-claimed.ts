import {
  type AfterAttempt,
  type ClaimedDelivery,
  finishAttempt,
  giveUpDelivery,
  isDatabaseUnavailable,
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
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

export interface DeliveryTools {
  readonly store: Store;
  readonly sender: WebhookSender;
  readonly schedule: RetrySchedule;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Milliseconds between tries to write down a finished attempt while the database is away. */
const WRITE_RETRY_MS = 500;

/**
 * Makes one attempt and writes down what came of it. `signal` ends it when the lease is lost: from then on another
 * worker may have the row, so nothing is written.
 */
export async function deliverClaimed(
  tools: DeliveryTools,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AfterAttempt | null> {
  const { store, log } = tools;
  const line = { request_id: claimed.requestId, delivery_id: claimed.deliveryId, version: claimed.version };
  if (claimed.claimsExhausted) {
    await giveUpDelivery(store, claimed);
    log.error(line, 'delivery given up: claimed too often without a finished attempt');
    return null;
  }
  if (!claimed.message) {
    log.error(line, 'delivery unreadable: its sealed values do not open');
    return null;
  }
  const startedAt = new Date();
  const result = await send(tools.sender, claimed, claimed.message, startedAt, signal);
  const next = planAfterAttempt({
    schedule: tools.schedule,
    attemptNumber: claimed.roundAttemptNumber,
    result,
    random: Math.random,
  });
  const written = await untilWritten(signal, () =>
    finishAttempt(store, {
      lease: claimed,
      startedAt,
      ...result,
      durationMs: Math.round(result.durationMs),
      next,
    }),
  );
  if (!written) {
    log.warn(line, 'attempt discarded: the lease was lost');
    return null;
  }
  tools.metrics.deliveryAttempts.inc({ outcome: result.outcome });
  if (next.kind === 'delivered')
    tools.metrics.deliverySeconds.observe((Date.now() - claimed.acceptedAt.getTime()) / 1000);
  log.info(
    {
      ...line,
      outcome: result.outcome,
      status: result.statusCode,
      duration_ms: Math.round(result.durationMs),
      next: next.kind,
    },
    'attempted',
  );
  return next;
}

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

/** The receiver has answered: forgetting that because the database blinked would send it a duplicate. */
async function untilWritten(signal: AbortSignal, write: () => Promise<boolean>): Promise<boolean> {
  while (!signal.aborted) {
    try {
      return await write();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      await sleep(WRITE_RETRY_MS);
    }
  }
  return false;
}

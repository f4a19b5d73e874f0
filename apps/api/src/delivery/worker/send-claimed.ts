import {
  type BreakerChange,
  type ClaimedDelivery,
  noteBreaker,
  type Store,
} from '@insurance-verification/store';
import {
  type SendResult,
  signWebhook,
  WEBHOOK_HEADERS,
  type WebhookSender,
} from '@insurance-verification/webhook';
import { createFailureLog, type Log } from '../../telemetry/log.ts';
import type { HostAnswer } from '../lanes/create-lanes.ts';

/** One attempt that the receiver answered, or failed to answer in time. */
export interface SentAttempt {
  readonly startedAt: Date;
  readonly result: SendResult;
  readonly answer: HostAnswer;
}

/** Names the subscription over MCP that a post is for, so that its client knows which secret signed it. */
export const SUBSCRIPTION_HEADER = 'x-mcp-subscription-id';

/** Signs a message and posts it. @throws when `signal` aborts: the outcome then says nothing about the receiver. */
export async function sendClaimed(
  sender: WebhookSender,
  { deliveryId, eventId, subscription, requestId, version, hasBenefits }: ClaimedDelivery,
  { callbackUrl, body, secrets }: NonNullable<ClaimedDelivery['message']>,
  signal: AbortSignal,
): Promise<SentAttempt> {
  const startedAt = new Date();
  const id = eventId ?? deliveryId;
  const result = await sender.send({
    url: callbackUrl,
    headers: {
      'content-type': 'application/json',
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: String(Math.floor(startedAt.getTime() / 1000)),
      [WEBHOOK_HEADERS.signature]: signWebhook({ id, timestamp: startedAt, body, secrets }),
      ...(subscription !== null && { [SUBSCRIPTION_HEADER]: subscription }),
      ...(version !== null && { [WEBHOOK_HEADERS.verificationVersion]: String(version) }),
      ...(hasBenefits && {
        [WEBHOOK_HEADERS.verificationBenefits]: `/requests/${requestId}/benefits?version=${version}`,
      }),
    },
    body,
    signal,
  });
  signal.throwIfAborted();
  const answer = { verdict: VERDICTS[result.outcome], durationMs: result.durationMs };
  // What an endpoint answers to an event is not kept: no operation shows it.
  return { startedAt, result: eventId === null ? result : { ...result, responseSnippet: null }, answer };
}

/**
 * What an outcome says about the host. A blocked address was not called, and a receiver that answers 410 is healthy: it
 * only wants no more.
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

/**
 * Stores the state changes of this worker's breakers, for readers of deliveries; one after the other for each host, so
 * that the last change wins. A failed write is logged and does not affect the breaker.
 */
export function createBreakerNotes(
  store: Store,
  log: Log,
): (hostKey: string, retrySeconds: number | null) => void {
  const last = new Map<string, Promise<void>>();
  const failed = createFailureLog(log, 'a paused receiver could not be noted');
  const noteAfter = async (before: Promise<void> | undefined, change: BreakerChange) => {
    await before;
    try {
      await noteBreaker(store, change);
    } catch (err) {
      failed(err);
    }
  };
  return (hostKey, retrySeconds) => {
    const noted = noteAfter(last.get(hostKey), { hostKey, retrySeconds });
    last.set(hostKey, noted);
    void forgetOnce(noted, hostKey);
  };

  async function forgetOnce(noted: Promise<void>, hostKey: string): Promise<void> {
    await noted;
    if (last.get(hostKey) === noted) last.delete(hostKey);
  }
}

import {
  type AfterAttempt,
  type ClaimedDelivery,
  finishAttempts,
  type FinishedAttempt,
  isDatabaseUnavailable,
  type Store,
  groupCommit,
} from '@insurance-verification/store';
import { planAfterAttempt, type RetrySchedule } from '@insurance-verification/webhook';
import type { Hints } from '../../procedure/context/app.ts';
import { untilWritten } from '../../queue/in-flight.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { SentAttempt } from './send-claimed.ts';

export interface AttemptRecording {
  readonly writeAttempt: AttemptWriter;
  readonly schedule: RetrySchedule;
  readonly hints: Hints;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/**
 * Records an attempt's outcome and what follows. Abort `signal` when the lease is lost: from then on another worker may
 * have the row.
 * @returns what follows; null when the lease was lost and nothing was written.
 * @throws when `signal` aborts.
 */
export async function recordAttempt(
  { writeAttempt, schedule, hints, metrics, tracing, log }: AttemptRecording,
  claimed: ClaimedDelivery,
  { startedAt, result }: SentAttempt,
  signal: AbortSignal,
): Promise<AfterAttempt | null> {
  const { outcome, statusCode, durationMs } = result;
  const { roundAttemptNumber: attemptNumber } = claimed;
  const planned = planAfterAttempt({ schedule, attemptNumber, result, random: Math.random });
  // MCP Events: what is too large for a callback address is not sent to it again.
  const isTooLarge = claimed.subscription !== null && statusCode === 413 && planned.kind === 'retry';
  const next: AfterAttempt = isTooLarge ? { kind: 'exhausted', reason: 'webhook_exhausted' } : planned;
  const isWritten = await untilWritten(signal, () =>
    writeAttempt({ lease: claimed, startedAt, ...result, next }),
  );
  if (!isWritten) {
    log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
    return null;
  }
  hints.publish('delivery', claimed.accountId);
  if (next.kind !== 'retry' && claimed.requestId !== null) hints.publish('request', claimed.accountId);
  metrics.deliveryAttempts.inc({ outcome });
  if (next.kind === 'delivered')
    metrics.deliverySeconds.observe((Date.now() - claimed.acceptedAt.getTime()) / 1000);
  if (claimed.requestId !== null)
    tracing?.step({
      requestId: claimed.requestId,
      name: 'delivery attempt',
      kind: 'client',
      startedAt: startedAt.getTime(),
      durationMs,
      attributes: {
        'ivs.delivery_id': claimed.deliveryId,
        'ivs.version': claimed.version,
        'ivs.attempt': attemptNumber,
        'ivs.outcome': outcome,
        'ivs.next': next.kind,
        'http.response.status_code': statusCode,
      },
      failed: outcome !== 'succeeded',
    });
  log.info(
    { ...lineOf(claimed), outcome, status: statusCode, duration_ms: durationMs, next: next.kind },
    'attempted',
  );
  return next;
}

/** Records one finished attempt; false when its lease was lost and nothing was written. */
type AttemptWriter = (attempt: FinishedAttempt) => Promise<boolean>;

/** Attempts that end together share a statement and its flush to disk. */
export function createAttemptWriter(store: Store): AttemptWriter {
  const writeAll = async (attempts: readonly FinishedAttempt[]) => {
    const written = await finishAttempts(store, attempts);
    return attempts.map(({ lease }) => written.has(lease.deliveryId));
  };
  const writeTogether = groupCommit({ commit: writeAll, failsAll: isDatabaseUnavailable });
  return async (attempt) => {
    try {
      return await writeTogether(attempt);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      // An attempt that the database refuses must not fail those that share its statement.
      const [isWritten = false] = await writeAll([attempt]);
      return isWritten;
    }
  };
}

/** A delivery's fields for a log line: only ids. */
export function lineOf({ requestId, deliveryId, version, eventId }: ClaimedDelivery) {
  return eventId === null
    ? { request_id: requestId, delivery_id: deliveryId, version }
    : { event_id: eventId, delivery_id: deliveryId };
}

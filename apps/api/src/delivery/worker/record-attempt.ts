import type { AfterAttempt, ClaimedDelivery } from '@insurance-verification/store';
import { planAfterAttempt, type RetrySchedule } from '@insurance-verification/webhook';
import type { Hints } from '../../procedure/context/app.ts';
import { untilWritten } from '../../queue/until-written.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { AttemptWriter } from './create-attempt-writer.ts';
import { lineOf } from './line-of.ts';
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
  const next = planAfterAttempt({ schedule, attemptNumber, result, random: Math.random });
  const isWritten = await untilWritten(signal, () =>
    writeAttempt({ lease: claimed, startedAt, ...result, next }),
  );
  if (!isWritten) {
    log.warn(lineOf(claimed), 'attempt discarded: the lease was lost');
    return null;
  }
  hints.publish('delivery', claimed.accountId);
  if (next.kind !== 'retry') hints.publish('request', claimed.accountId);
  metrics.deliveryAttempts.inc({ outcome });
  if (next.kind === 'delivered')
    metrics.deliverySeconds.observe((Date.now() - claimed.acceptedAt.getTime()) / 1000);
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

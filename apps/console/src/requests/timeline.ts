import type { Outputs } from '../api/api.ts';
import { duration } from '../look/time.tsx';
import { ATTEMPTS, CHANNELS, DELIVERIES, SENDINGS, type Words } from './request-words.ts';

/** One line of what happened to a request. */
export interface TimelineEvent extends Words {
  readonly at: string;
  /** What more there is to say, in sentences. */
  readonly details: readonly string[];
  /** What the receiver answered, verbatim. */
  readonly snippet?: string | undefined;
}

interface Sources {
  readonly request: Outputs['requests']['get'];
  readonly attempts: Outputs['requests']['attempts']['items'];
  readonly deliveries: Outputs['requests']['deliveries']['items'];
}

/** Everything that happened to one request, first to last. */
export function timelineOf({ request, attempts, deliveries }: Sources): TimelineEvent[] {
  const received: TimelineEvent = {
    at: request.received_timestamp,
    tone: 'quiet',
    word: 'Received',
    details: [],
  };
  return [received, ...attempts.map(attemptEvent), ...deliveries.flatMap(deliveryEvents)].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

function attemptEvent(attempt: Sources['attempts'][number]): TimelineEvent {
  const { outcome, channel, started_at: startedAt, ended_at: endedAt } = attempt;
  const seconds = endedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const how = channel === null ? 'Handed in' : CHANNELS[channel];
  const version = attempt.result_version === null ? '' : `, became result ${attempt.result_version}`;
  return {
    at: endedAt ?? startedAt,
    ...ATTEMPTS[outcome],
    details: [
      `Attempt ${attempt.number}. ${how}${seconds === null || seconds < 1 ? '' : `, ${duration(seconds)}`}${version}.`,
      ...(attempt.explanation === null ? [] : [attempt.explanation]),
      ...(attempt.reference === null ? [] : [`Reference ${attempt.reference}.`]),
      ...(attempt.note ? [`Note: ${attempt.note}`] : []),
    ],
  };
}

function deliveryEvents(delivery: Sources['deliveries'][number]): TimelineEvent[] {
  const { attempts, version, next_attempt_at: nextAt } = delivery;
  const next: TimelineEvent[] =
    nextAt === null
      ? []
      : [
          {
            at: nextAt,
            tone: 'wait',
            word: 'To be sent',
            details: [`Result ${version}, sending ${attempts.length + 1}.`],
          },
        ];
  return attempts
    .map((attempt, index): TimelineEvent => {
      const isLast = index === attempts.length - 1;
      const succeeded = attempt.outcome === 'succeeded';
      const words: Words = succeeded
        ? DELIVERIES.delivered
        : isLast && delivery.status === 'exhausted'
          ? DELIVERIES.exhausted
          : { tone: 'warn', word: 'Not delivered yet' };
      const code = attempt.status_code === null ? '' : ` (${attempt.status_code})`;
      return {
        at: attempt.at,
        ...words,
        details: [
          `Result ${version}, sending ${attempt.number}. ${SENDINGS[attempt.outcome]}${code}, ${attempt.duration_ms} ms.`,
        ],
        snippet: attempt.response_snippet || undefined,
      };
    })
    .concat(next);
}

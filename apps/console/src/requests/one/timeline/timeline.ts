import type { Outputs } from '../../../api/api.ts';
import { duration } from '../../../look/time/time.tsx';
import { ERASED } from '../../../privacy/erasure-words.ts';
import { ATTEMPTS, CHANNELS, DELIVERIES, SENDINGS, type Words } from '../../../words/request-words.ts';
import { heldEvents } from './held-events.ts';
import { nameOf } from './name-of.ts';
import type { TimelineEvent } from './timeline-event.ts';

type View = Outputs['requests']['view'];
type Readers = Outputs['requests']['readers']['items'];

/** Everything that happened to one request, first to last; `readers` name who acted where the person may know. */
export function timelineOf(view: View, readers: Readers): TimelineEvent[] {
  const received: TimelineEvent = {
    at: view.received_timestamp,
    tone: 'quiet',
    word: 'Received',
    details: [],
  };
  return [
    received,
    ...view.exchanges.map(exchangeEvent),
    ...view.attempts.map(attemptEvent),
    ...view.held_outputs.flatMap((held) => heldEvents(held, readers)),
    ...view.versions.map((version) => versionEvent(version, view, readers)),
    ...view.deliveries.flatMap(deliveryEvents),
    ...erasedEvents(view),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function erasedEvents({ erased_at: at, erased_because: because }: View): TimelineEvent[] {
  if (at === null) return [];
  return [
    {
      at,
      tone: 'quiet',
      word: 'Data erased',
      details: [`It was erased ${ERASED[because ?? 'retention'].because}.`],
    },
  ];
}

function exchangeEvent(exchange: View['exchanges'][number]): TimelineEvent {
  const { control_number: number, error_reason: reason, payer_codes: codes, explanation } = exchange;
  return {
    at: exchange.started_at,
    tone: reason === null ? 'good' : 'warn',
    word: 'Asked the payer over X12',
    details: [
      `Inquiry ${number}, ${exchange.duration_ms} ms${codes.length === 0 ? '' : `, ${codes.join(', ')}`}.`,
      ...(explanation === null ? [] : [explanation]),
    ],
  };
}

function attemptEvent(attempt: View['attempts'][number]): TimelineEvent {
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

function versionEvent(
  { version, outcome, applied_at: at, held_id: heldId }: View['versions'][number],
  { held_outputs: kept }: View,
  readers: Readers,
): TimelineEvent {
  const held = kept.find(({ held_id: id }) => id === heldId);
  const who = held?.settled_by ? nameOf(held.settled_by, readers) : 'an operator';
  return {
    at,
    tone: outcome === 'complete' ? 'good' : 'warn',
    word: version === 1 ? 'Result accepted' : 'Result corrected',
    details: [
      `Result ${version}${outcome === 'complete' ? '' : ', without an answer'}.`,
      ...(heldId === null
        ? []
        : [`Of ${held ? 'a held output' : `the held output ${heldId}`}, applied by ${who}.`]),
    ],
    heldId: held?.held_id,
  };
}

function deliveryEvents(delivery: View['deliveries'][number]): TimelineEvent[] {
  const { attempts, version, next_attempt_at: nextAt, paused_since: since } = delivery;
  const next: TimelineEvent[] =
    nextAt === null
      ? []
      : [
          {
            at: nextAt,
            tone: 'wait',
            word: 'To be sent',
            details: [
              `Result ${version}, sending ${attempts.length + 1}.`,
              ...(since === null ? [] : ['Paused, since most answers of its receiver were failures.']),
            ],
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

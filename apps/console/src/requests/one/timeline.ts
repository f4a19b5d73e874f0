import type { Outputs } from '../../api/api.ts';
import { duration } from '../../look/time.tsx';
import { HELD } from '../../words/held-words.ts';
import { ATTEMPTS, CHANNELS, DELIVERIES, ERASED, SENDINGS, type Words } from '../../words/request-words.ts';
import { asSentence, decidedBy, verifierOf } from '../../words/verifier-words.ts';

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
    ...view.attempts.map((attempt) => attemptEvent(attempt, view)),
    ...view.held_outputs.flatMap((held) => heldEvents(held, readers)),
    ...view.versions.map((version) => versionEvent(version, view)),
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

/** An attempt at its end; a correction has its verifier and its reason. */
function attemptEvent(attempt: View['attempts'][number], { versions }: View): TimelineEvent {
  const { outcome, channel, started_at: startedAt, ended_at: endedAt } = attempt;
  const made = versions.find(({ version }) => version === attempt.result_version);
  const by = made?.verification ? `, by ${verifierOf(made.verification)}` : '';
  const version = attempt.result_version === null ? '' : `, became result ${attempt.result_version}`;
  const seconds = endedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const how = channel === null ? 'Submitted' : CHANNELS[channel];
  const took = seconds === null || seconds < 1 ? '' : `, ${duration(seconds)}`;
  const correction = made?.correction;
  return {
    at: endedAt ?? startedAt,
    ...(correction ? CORRECTED : ATTEMPTS[outcome]),
    details: [
      correction
        ? `Attempt ${attempt.number}${by}${version}.`
        : `Attempt ${attempt.number}${by}. ${how}${took}${version}.`,
      ...(correction?.reason ? [`Why: ${asSentence(correction.reason)}`] : []),
      ...(attempt.explanation === null ? [] : [attempt.explanation]),
      ...(attempt.reference === null ? [] : [`Reference ${attempt.reference}.`]),
      ...(attempt.representative === undefined ? [] : [`Spoke with ${attempt.representative}.`]),
      ...(attempt.note ? [`Note: ${attempt.note}`] : []),
    ],
  };
}

const CORRECTED: Words = { tone: 'good', word: 'Corrected' };

function versionEvent(version: View['versions'][number], { held_outputs: kept }: View): TimelineEvent {
  const { version: number, outcome, applied_at: at, held_id: heldId } = version;
  const held = kept.find(({ held_id: id }) => id === heldId);
  return {
    at,
    tone: outcome === 'complete' ? 'good' : 'warn',
    word: number === 1 ? 'Result accepted' : 'Result corrected',
    details: [
      `Result ${number}${outcome === 'complete' ? '' : ', without an answer'}.`,
      ...(heldId === null ? [] : [`Of a held output, applied by ${decidedBy(version)}.`]),
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

type Held = Outputs['requests']['view']['held_outputs'][number];

/**
 * An output that was held: its arrival, and its dismissal. That it was applied to this request is in the line of the
 * result that it became.
 */
function heldEvents(held: Held, readers: Readers): TimelineEvent[] {
  const { held_id: heldId, received_by: sender, settled_by: settler, settled_at: settledAt } = held;
  const waits = held.status === 'held';
  const came: TimelineEvent = {
    at: held.received_at,
    tone: waits ? 'warn' : 'quiet',
    word: 'Output held',
    details: [
      HELD[held.reason].sentence,
      ...(sender === null ? [] : [`Submitted by ${nameOf(sender, readers)}.`]),
      endOf(held),
    ],
    heldId,
  };
  if (settledAt === null || held.version !== null) return [came];
  const who = settler === null ? 'an operator' : nameOf(settler, readers);
  const ended: TimelineEvent =
    held.status === 'dismissed'
      ? {
          at: settledAt,
          tone: 'quiet',
          word: 'Held output dismissed',
          details: [`Dismissed by ${who}${held.noted ? ', with a note' : ''}.`],
          heldId,
        }
      : {
          at: settledAt,
          tone: 'quiet',
          word: 'Held output applied elsewhere',
          details: [`Applied to another request by ${who}.`],
          heldId,
        };
  return [came, ended];
}

function endOf({ status, version }: Held): string {
  if (status === 'held') return 'It waits for an operator.';
  if (status === 'dismissed') return 'It was dismissed.';
  return version === null ? 'It was applied to another request.' : `It became result ${version}.`;
}

/** One line of what happened to a request. */
interface TimelineEvent extends Words {
  readonly at: string;
  /** What more there is to say, in sentences. */
  readonly details: readonly string[];
  /** What the receiver answered, verbatim. */
  readonly snippet?: string | undefined;
  /** The held output that it is about, while it is kept. */
  readonly heldId?: string | undefined;
}

/** The name of a person or key, from the access log of the request; the id where the person may not know it. */
const nameOf = (id: string, readers: Outputs['requests']['readers']['items']): string =>
  readers.find(({ key_id: keyId }) => keyId === id)?.name ?? id;

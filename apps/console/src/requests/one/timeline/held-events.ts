import type { Outputs } from '../../../api/api.ts';
import { HELD } from '../../../words/held-words.ts';
import { nameOf } from './name-of.ts';
import type { TimelineEvent } from './timeline-event.ts';

type Held = Outputs['requests']['view']['held_outputs'][number];
type Readers = Outputs['requests']['readers']['items'];

/**
 * An output that was held: its arrival, and its dismissal. That it was applied to this request is in the line of the
 * result that it became.
 */
export function heldEvents(held: Held, readers: Readers): TimelineEvent[] {
  const { held_id: heldId, received_by: sender, settled_by: settler, settled_at: settledAt } = held;
  const waits = held.status === 'held';
  const came: TimelineEvent = {
    at: held.received_at,
    tone: waits ? 'warn' : 'quiet',
    word: 'Output held',
    details: [
      HELD[held.reason].sentence,
      ...(sender === null ? [] : [`Handed in by ${nameOf(sender, readers)}.`]),
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

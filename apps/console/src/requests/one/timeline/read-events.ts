import type { Outputs } from '../../../api/api.ts';
import type { TimelineEvent } from './timeline-event.ts';

type Reader = Outputs['requests']['readers']['items'][number];

/** What each reading operation is to a person; what is not here changed something, and is in the timeline already. */
const READINGS: Readonly<Record<string, string>> = {
  'requests.view': 'opened the page',
  'requests.reveal': 'looked at the patient',
  'requests.noteCopy': 'copied of the patient',
  'requests.search': 'found it by a search',
  'requests.get': 'read the request',
  'requests.list': 'saw it in a list',
  'requests.result': 'read the result',
  'requests.attempts': 'read the attempts',
  'requests.deliveries': 'read the deliveries',
  'requests.exchanges': 'read the 270 and 271',
  'requests.benefits': 'read the benefits',
  'requests.proof': 'read the proof of verification',
  'requests.readers': 'looked who read it',
  'deliveries.list': 'saw its deliveries in a list',
  'deliveries.get': 'read a delivery',
  'heldOutputs.get': 'read a held output about it',
  'heldOutputs.compare': 'compared a held output with it',
  'drafts.get': 'read a draft',
};

/** Who read a request: each person or key once, at the last time, with what they read and how often. */
export function readEvents(readers: readonly Reader[]): TimelineEvent[] {
  const readings = readers.filter(({ operation }) => Object.hasOwn(READINGS, operation));
  const byReader = Map.groupBy(readings, ({ key_id: id }) => id);
  return [...byReader.values()].map((lines) => {
    const [{ name, key_id: id } = { name: null, key_id: null }] = lines;
    const last = lines.map((line) => line.last_at).toSorted();
    return {
      at: last.at(-1) ?? '',
      tone: 'quiet',
      word: `Read by ${name ?? id ?? 'somebody'}`,
      details: lines.map(({ operation, count }) => sentence(READINGS[operation] ?? operation, count)),
    };
  });
}

const sentence = (what: string, count: number) =>
  `${what.charAt(0).toUpperCase()}${what.slice(1)}${count === 1 ? '' : `, ${count} times`}.`;

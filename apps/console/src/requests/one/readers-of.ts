import type { Outputs } from '../../api/api.ts';

type Line = Outputs['requests']['readers']['items'][number];

/** What each reading operation is to a person; what is not here changed something, and is in the timeline already. */
const READINGS: Readonly<Record<string, string>> = {
  'requests.view': 'opened the page',
  'requests.reveal': 'looked at the patient',
  'requests.get': 'read the request',
  'requests.result': 'read the result',
  'requests.attempts': 'read the attempts',
  'requests.deliveries': 'read the deliveries',
  'requests.exchanges': 'read the 270 and 271',
  'requests.benefits': 'read the benefits',
  'requests.proof': 'read the proof of verification',
  'requests.readers': 'looked who read it',
  'deliveries.get': 'read a delivery',
  'heldOutputs.get': 'read a held output about it',
  'heldOutputs.compare': 'compared a held output with it',
  'drafts.get': 'read a draft',
};

/** Each of these shows it among others: it was seen, and not meant to be read. */
const LISTINGS: readonly string[] = [
  'requests.list',
  'requests.search',
  'deliveries.list',
  'heldOutputs.list',
  'drafts.list',
  'work.done',
];

/** Who read a request on a day. */
interface ReaderOfDay {
  /** A key of the line: who, and the day of the last reading. */
  readonly key: string;
  /** The last time. */
  readonly at: string;
  /** `Ada Verifier read it 3 times`. */
  readonly headline: string;
  /** What they read, and how often, in one sentence each. */
  readonly details: readonly string[];
}

/**
 * Who read a request: a line for each person or key and day, the latest first. The service counts each operation as a
 * whole, so that a reading is listed on the day of its last time.
 * @param dayOf the day of an instant, in the zone that times are shown in.
 */
export function readersOf(lines: readonly Line[], dayOf: (at: string) => string): ReaderOfDay[] {
  const isReading = ({ operation }: Line) =>
    Object.hasOwn(READINGS, operation) || LISTINGS.includes(operation);
  const byDay = Map.groupBy(lines.filter(isReading), (line) => `${line.key_id} ${dayOf(line.last_at)}`);
  return [...byDay.entries()]
    .map(([key, ofDay]) => readerOf(key, ofDay))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** How many people and keys that are. */
export const readerCount = (lines: readonly Line[]): number =>
  new Set(readersOf(lines, () => '').map(({ key }) => key)).size;

function readerOf(key: string, lines: readonly Line[]): ReaderOfDay {
  const [{ name, key_id: id } = { name: null, key_id: null }] = lines;
  const [at = ''] = lines.map((line) => line.last_at).toSorted((a, b) => Date.parse(b) - Date.parse(a));
  const readings = lines.filter(({ operation }) => Object.hasOwn(READINGS, operation));
  const listed = sumOf(lines.filter(({ operation }) => LISTINGS.includes(operation)));
  const who = name ?? id ?? 'Somebody';
  return {
    key,
    at,
    headline:
      readings.length > 0
        ? `${who} read it${times(sumOf(readings), ' ')}`
        : `${who} saw it in a list${times(listed, ' ')}`,
    details: [
      ...readings.map(({ operation, count }) => sentence(READINGS[operation] ?? operation, count)),
      ...(readings.length > 0 && listed > 0 ? [sentence('saw it in a list', listed)] : []),
    ],
  };
}

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, { count }) => sum + count, 0);

const times = (count: number, before: string) => (count === 1 ? '' : `${before}${count} times`);

const sentence = (what: string, count: number) =>
  `${what.charAt(0).toUpperCase()}${what.slice(1)}${times(count, ', ')}.`;

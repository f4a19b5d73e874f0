import { readFileSync, writeFileSync } from 'node:fs';
import type { DatabaseFunction } from '../../src/functions/database-function.ts';
import type { Statement } from './statement.ts';

/**
 * What a version said to the database in `theMorning`, `theAfternoon` and `readEverything`, and all that one needs to say
 * it again.
 */
export interface Recording {
  /** The commit of that version. */
  readonly commit: string;
  readonly recordedAt: string;
  /** Of a database that is gone: what was written is sealed under it. */
  readonly encryptionKey: string;
  readonly migrations: readonly string[];
  readonly functions: readonly DatabaseFunction[];
  readonly morning: readonly Statement[];
  readonly afternoon: readonly Statement[];
  /** `readEverything` of this request. */
  readonly reading: readonly Statement[];
  readonly read: { readonly requestId: string; readonly accountId: string };
  /** What that version told of each request at the end of the day. */
  readonly told: readonly Told[];
}

export interface Told {
  readonly requestId: string;
  readonly accountId: string;
  readonly request: unknown;
  readonly result: unknown;
  readonly deliveries: readonly string[];
}

const FILE = new URL('../golden/version-before.jsonl', import.meta.url);

const PARTS = ['morning', 'afternoon', 'reading'] as const;

/** One line for each statement, so that a difference can be read. */
export function writeRecording(recording: Recording): void {
  const { morning: _morning, afternoon: _afternoon, reading: _reading, ...head } = recording;
  const statements = PARTS.flatMap((part) => recording[part].map((statement) => ({ part, ...statement })));
  writeFileSync(FILE, [head, ...statements].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export function readRecording(): Recording {
  const [head = '', ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  const statements = lines.map((line) => JSON.parse(line) as Statement & { part: string });
  const partOf = (wanted: string) => statements.filter(({ part }) => part === wanted);
  const parts = Object.fromEntries(PARTS.map((part) => [part, partOf(part)]));
  return { ...JSON.parse(head), ...parts } as Recording;
}

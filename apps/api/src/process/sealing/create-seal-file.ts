import { open } from 'node:fs/promises';
import { listSealNotes, type MadeSeal, type Store } from '@insurance-verification/store';
import { createFailureLog } from '../../telemetry/create-failure-log.ts';
import type { Log } from '../../telemetry/log.ts';

/** Bytes at the end of the file in which its last line lies: a line has about 600. */
const TAIL_BYTES = 65_536;

/** Seals of one write: what the file lacks, since it is new, or another process sealed, or the disk was full. */
const PART_COUNT = 1_000;

/**
 * Keeps the seals in a file too, and the records of dropped lines between them, a line of JSON each: a copy outside of the
 * database reveals that the log's end was cut off. A failed write is logged and repeated with the next seal.
 * @returns what adds a seal that was made, and whatever the file lacks before it.
 */
export function createSealFile(store: Store, path: string, log: Log): (made: MadeSeal) => Promise<void> {
  const logFailure = createFailureLog(log, 'AUDIT_SEAL_FILE could not be written; the next seal tries again');
  const add = async (made: MadeSeal) => {
    await using file = await open(path, 'a+', 0o600);
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    await file.read(tail, 0, tail.length, size - tail.length);
    const kept = lastSealIn(tail.toString('utf8'));
    let after = kept?.seal ?? 0;
    if (kept && !(await hasSeal(store, kept))) {
      log.error(
        { seal: kept.seal },
        'the database lacks a seal that AUDIT_SEAL_FILE has: lines were removed, or a failover or a restored backup lost them',
      );
      after = made.number - 1;
    }
    let isLineOpen = tail.length > 0 && tail.at(-1) !== 0x0a;
    for (;;) {
      const notes = await listSealNotes(store, after, PART_COUNT);
      const lines = notes.map((note) => `${JSON.stringify(note)}\n`).join('');
      if (lines !== '') await file.appendFile(`${isLineOpen ? '\n' : ''}${lines}`);
      isLineOpen = false;
      const last = notes.at(-1);
      if (!last || !('seal' in last) || notes.length < PART_COUNT) break;
      after = last.seal;
    }
    await file.sync();
  };
  return (made) => add(made).catch(logFailure);
}

interface KeptSeal {
  readonly seal: number;
  readonly note: string;
}

const hasSeal = async (store: Store, { seal, note }: KeptSeal) =>
  (await listSealNotes(store, seal - 1, 1)).some(
    (stored) => 'seal' in stored && stored.seal === seal && stored.note === note,
  );

/** The last whole line: the end of one may be missing where the process or the disk gave out. */
function lastSealIn(text: string): KeptSeal | undefined {
  for (const line of text.split('\n').toReversed()) {
    try {
      const { seal, note } = JSON.parse(line) as Record<string, unknown>;
      if (typeof seal === 'number' && typeof note === 'string') return { seal, note };
    } catch {
      // the rest of a line
    }
  }
  return undefined;
}

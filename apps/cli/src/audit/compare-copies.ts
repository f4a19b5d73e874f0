import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Store, VerifierKey } from '@insurance-verification/store';
import { CommandFailedError } from '../failure/failure.ts';
import type { BadCopy } from './describe-fault.ts';

/** Copies compared by one statement. */
const BATCH_COUNT = 500;

export interface ComparedCopies {
  /** Of seals, and of drops' records. */
  readonly sealCount: number;
  readonly dropCount: number;
  readonly bad: BadCopy | null;
}

/**
 * Compares a file's copies of seals, and of drops' records, with the database, as far as the first that differs. The file
 * has JSON lines, of which those with a note count: the service's log is such a file too.
 */
export async function compareCopies(
  store: Pick<Store, 'db'>,
  path: string,
  keys: readonly VerifierKey[],
): Promise<ComparedCopies> {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { compareNotes } = await import('@insurance-verification/store');
  let [sealCount, dropCount] = [0, 0];
  let notes: string[] = [];
  const compare = async () => {
    const compared = await compareNotes(store, { notes, keys });
    notes = [];
    if (compared.kind === 'same') return null;
    return { fault: compared.fault, of: compared.of, number: compared.number };
  };
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const copy = copyIn(line);
      if (!copy) continue;
      if (copy.of === 'seal') sealCount += 1;
      else dropCount += 1;
      notes.push(copy.note);
      const bad = notes.length < BATCH_COUNT ? null : await compare();
      if (bad) return { sealCount, dropCount, bad };
    }
  } catch (err) {
    if (err instanceof Error && 'syscall' in err && 'path' in err)
      throw new CommandFailedError(
        `--seals: ${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
    throw err;
  }
  const bad = await compare();
  return { sealCount, dropCount, bad };
}

function copyIn(line: string): { readonly of: BadCopy['of']; readonly note: string } | undefined {
  if (!line.includes('"note"')) return undefined;
  try {
    const { seal, drop, note } = JSON.parse(line) as Record<string, unknown>;
    if (typeof note !== 'string' || typeof (seal ?? drop) !== 'number') return undefined;
    return { of: seal === undefined ? 'drop' : 'seal', note };
  } catch {
    return undefined; // cut off, where the disk was full
  }
}

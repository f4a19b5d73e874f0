import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { NoteFault, Store, VerifierKey } from '@insurance-verification/store';
import { CommandFailedError } from '../failure/failure.ts';

/** Copies compared by one statement. */
const BATCH_COUNT = 500;

export interface ComparedCopies {
  readonly comparedCount: number;
  readonly bad: { readonly fault: NoteFault; readonly seal: number | null } | null;
}

/**
 * Compares a file's copies of seals with the database, as far as the first that differs. The file has JSON lines, of
 * which those with a note count: the service's log is such a file too.
 */
export async function compareCopies(
  store: Pick<Store, 'db'>,
  path: string,
  keys: readonly VerifierKey[],
): Promise<ComparedCopies> {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { compareNotes } = await import('@insurance-verification/store');
  let comparedCount = 0;
  let notes: string[] = [];
  const compare = async () => {
    const compared = await compareNotes(store, { notes, keys });
    comparedCount += notes.length;
    notes = [];
    return compared.kind === 'same' ? null : { fault: compared.fault, seal: compared.number };
  };
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const note = noteIn(line);
      if (note !== undefined) notes.push(note);
      const bad = notes.length < BATCH_COUNT ? null : await compare();
      if (bad) return { comparedCount, bad };
    }
  } catch (err) {
    if (err instanceof Error && 'syscall' in err && 'path' in err)
      throw new CommandFailedError(
        `--seals: ${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
    throw err;
  }
  const bad = await compare();
  return { comparedCount, bad };
}

function noteIn(line: string): string | undefined {
  if (!line.includes('"note"')) return undefined;
  try {
    const { seal, note } = JSON.parse(line) as Record<string, unknown>;
    return typeof seal === 'number' && typeof note === 'string' ? note : undefined;
  } catch {
    return undefined; // cut off, where the disk was full
  }
}

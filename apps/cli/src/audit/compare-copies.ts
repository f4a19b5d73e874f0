import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ResumeStatement, Store, VerifierKey } from '@insurance-verification/store';
import { CommandFailedError } from '../failure/failure.ts';
import type { BadCopy } from './describe-fault.ts';

/** Copies compared by one statement. */
const BATCH_COUNT = 500;

export interface ComparedCopies {
  /** How many of the copies the database must have. */
  readonly sealCount: number;
  readonly dropCount: number;
  /** Where sealing was resumed after a restore, and gave up what the file had. */
  readonly resumed: readonly ResumeStatement[];
  /** The first that the database does not have as it is. */
  readonly bad: BadCopy | null;
}

/**
 * Compares the database with the seals and records of drops in a file: the service's, or lines of its log. What the file
 * had when sealing was resumed after an earlier seal is given up, and not looked for.
 */
export async function compareCopies(
  store: Pick<Store, 'db'>,
  path: string,
  keys: readonly VerifierKey[],
): Promise<ComparedCopies> {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { compareNotes, openNote, readKeptNote, readResumeText } =
    await import('@insurance-verification/store');
  const resumed: ResumeStatement[] = [];
  const places: { readonly line: number; readonly number: number }[] = [];
  let lineNumber = 0;
  for await (const line of linesOf(path)) {
    lineNumber += 1;
    const kept = readKeptNote(line);
    if (!kept || !('resume' in kept)) continue;
    const opened = openNote(kept.note, keys);
    const statement = opened.kind === 'signed' ? readResumeText(opened.text) : undefined;
    if (statement?.number !== kept.resume) {
      const fault = opened.kind === 'unknown_key' ? 'unknown_key' : 'forged';
      return { sealCount: 0, dropCount: 0, resumed, bad: { fault, of: 'resume', number: kept.resume } };
    }
    resumed.push(statement);
    places.push({ line: lineNumber, number: kept.resume });
  }

  let notes: string[] = [];
  let [sealCount, dropCount, lastSeal] = [0, 0, 0];
  const compare = async () => {
    const compared = await compareNotes(store, { notes, keys });
    notes = [];
    if (compared.kind === 'same') return null;
    return { fault: compared.fault, of: compared.of, number: compared.number };
  };
  lineNumber = 0;
  for await (const line of linesOf(path)) {
    lineNumber += 1;
    const kept = readKeptNote(line);
    if (!kept || 'resume' in kept) continue;
    if ('seal' in kept) lastSeal = kept.seal;
    // A drop follows the seal before it.
    const position = 'seal' in kept ? kept.seal : lastSeal + 1;
    if (places.some((resume) => resume.line > lineNumber && resume.number < position)) continue;
    if ('seal' in kept) sealCount += 1;
    else dropCount += 1;
    notes.push(kept.note);
    const bad = notes.length < BATCH_COUNT ? null : await compare();
    if (bad) return { sealCount, dropCount, resumed, bad };
  }
  const bad = await compare();
  return { sealCount, dropCount, resumed, bad };
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  } catch (err) {
    if (err instanceof Error && 'syscall' in err && 'path' in err)
      throw new CommandFailedError(
        `--seals: ${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
    throw err;
  }
}

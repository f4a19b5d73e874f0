import { type FileHandle, open } from 'node:fs/promises';
import { type ErasureFile, openErasureFile } from './erasure-file.ts';

/** A line of the file: a signed note of a seal, of lines that were dropped, or of sealing that was resumed after a seal. */
export type KeptNote =
  | { readonly seal: number; readonly note: string }
  | { readonly drop: number; readonly note: string }
  | { readonly resume: number; readonly note: string };

/** The end of the file. */
interface KeptTail {
  /** Whole lines, in order, some 25 of a long file. */
  readonly notes: readonly KeptNote[];
  readonly isEmpty: boolean;
}

/** The seals that the service signed, on a disk that the database's administrator cannot write. */
export interface SealFile {
  readonly path: string;
  /** The erasures that are kept next to it. */
  readonly erasures: ErasureFile;
  /** An absent file is empty; only its folder must be there. */
  readonly readTail: () => Promise<KeptTail>;
  /** Adds lines, and returns when they are on the disk. */
  readonly append: (notes: readonly KeptNote[]) => Promise<void>;
}

/** Bytes at the end of the file that are read: a line has about 600. */
const TAIL_BYTES = 16_384;

/** A file of seals, a line of JSON each. It is opened for each use, so a log rotation or a disk that returns is followed. */
export function openSealFile(path: string): SealFile {
  return {
    path,
    erasures: openErasureFile(path),
    readTail: async () => {
      await using file = await open(path, 'a+', 0o600);
      const tail = await readEnd(file, TAIL_BYTES);
      return { notes: notesIn(tail.toString('utf8')), isEmpty: tail.length === 0 };
    },
    append: async (notes) => {
      if (notes.length === 0) return;
      await using file = await open(path, 'a+', 0o600);
      const end = await readEnd(file, 1);
      // A full disk takes half a line, and so does a machine that loses power.
      const isLineOpen = end.length > 0 && end.at(-1) !== 0x0a;
      const lines = notes.map((note) => `${JSON.stringify(note)}\n`).join('');
      await file.appendFile(`${isLineOpen ? '\n' : ''}${lines}`);
      await file.sync();
    },
  };
}

async function readEnd(file: FileHandle, byteCount: number): Promise<Buffer> {
  const { size } = await file.stat();
  const end = Buffer.alloc(Math.min(size, byteCount));
  await file.read(end, 0, end.length, size - end.length);
  return end;
}

const notesIn = (text: string): KeptNote[] =>
  text
    .split('\n')
    .map(readKeptNote)
    .filter((note) => note !== undefined);

/** The note in a line of the file, or of a log that has it; undefined for any other line, and for half of one. */
export function readKeptNote(line: string): KeptNote | undefined {
  if (!line.includes('"note"')) return undefined;
  try {
    const { seal, drop, resume, note } = JSON.parse(line) as Record<string, unknown>;
    if (typeof note !== 'string') return undefined;
    if (typeof seal === 'number') return { seal, note };
    if (typeof drop === 'number') return { drop, note };
    return typeof resume === 'number' ? { resume, note } : undefined;
  } catch {
    return undefined;
  }
}

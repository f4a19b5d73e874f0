import type { Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { dropsAfter } from '../dropped/stored-drop.ts';
import type { Difference, HeldAgainstFile } from '../kept/hold-against-file.ts';
import { BEFORE_ALL } from '../lines/pages.ts';
import { addLines } from '../lines/read-leaves.ts';
import type { SealKey } from '../note/keys.ts';
import { readSealText } from '../note/note-text.ts';
import { openNote } from '../note/signed-note.ts';
import { TreeEdge } from '../tree.ts';
import { type BadTable, checkCatalogue } from '../verifying/check-catalogue.ts';
import { checkSeal } from '../verifying/check-seal.ts';
import { insertSeal, lastSeal, sealAt } from './stored-seal.ts';

/** A seal that was made. */
export interface MadeSeal {
  readonly number: number;
  readonly lineCount: number;
  readonly note: string;
  /** Lines whose time is not when they were written, and the ids of the first ten. */
  readonly misdated: { readonly count: number; readonly ids: readonly string[] };
  /** The tables that were not as the schema makes them when it was made. */
  readonly tables: readonly BadTable[];
  /** The drops that were signed since the seal before. */
  readonly drops: readonly { readonly number: number; readonly note: string }[];
}

/**
 * What a process signed last. The file has it too; this holds where there is none, or where the file was taken away.
 */
export interface SealMemory {
  last: {
    readonly number: number;
    readonly note: string;
    /** Whether the database said that it has it. */
    readonly isCommitted: boolean;
  } | null;
}

/** Keeps what was signed just now. */
export function remember(
  memory: SealMemory | undefined,
  { number, note }: Pick<MadeSeal, 'number' | 'note'>,
  isCommitted: boolean,
): void {
  if (memory) memory.last = { number, note, isCommitted };
}

/** A seal that was signed, and is not in the database. */
interface Unwritten {
  readonly number: number;
  readonly note: string;
}

type Differs = { readonly kind: 'differs' } & Difference;

/**
 * The seal that was signed last and is not in the database, by the file and by what this process remembers; null where
 * there is none. It differs where the database has another of that number, or said once that it has this one.
 */
export async function findUnwritten(
  trx: Transaction<Tables>,
  memory: SealMemory | undefined,
  held: Exclude<HeldAgainstFile, { kind: 'differs' }> | undefined,
): Promise<Unwritten | Differs | null> {
  const last = memory?.last ?? null;
  const kept = held?.kind === 'unwritten' ? { number: held.number, note: held.note } : null;
  const givenUp = held?.kind === 'held' ? held.givenUp : null;
  if (!last || (givenUp && last.number > givenUp.number && last.number <= givenUp.givenUp)) return kept;
  const stored = await sealAt(trx, last.number);
  if (stored?.note === last.note) return kept;
  if (stored) return { kind: 'differs', fault: 'differs', of: 'seal', number: last.number };
  return last.isCommitted ? { kind: 'differs', fault: 'absent', of: 'seal', number: last.number } : last;
}

/** Writes such a seal as it was signed; null where it does not go on from the last, or its lines are others. */
export async function writeAgain(
  trx: Transaction<Tables>,
  key: SealKey,
  { number, note }: Unwritten,
): Promise<MadeSeal | null> {
  const last = await lastSeal(trx);
  const opened = openNote(note, key.verifiers);
  const statement = opened.kind === 'signed' ? readSealText(opened.text) : undefined;
  const edge = last ? last.edge : TreeEdge.empty();
  if (!statement || !edge) return null;
  const sizeBefore = edge.size;
  await addLines(trx, edge, { after: last?.lastId ?? BEFORE_ALL, through: statement.lastId });
  const { lastId, at: sealedAt, settledAt } = statement;
  const seal = { number, lastId, sealedAt, settledAt, note, statement, edge };
  if (edge.size !== statement.treeSize || checkSeal({ seal, before: last }, key.verifiers)) return null;
  await insertSeal(trx, statement, note, edge);
  return {
    number,
    lineCount: edge.size - sizeBefore,
    note,
    misdated: { count: statement.misdatedCount, ids: [] },
    tables: await checkCatalogue(trx),
    drops: await dropsAfter(trx, number - 1),
  };
}

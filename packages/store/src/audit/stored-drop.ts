import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { VerifierKey } from './keys.ts';
import { type DropStatement, openNote, readDropText } from './note-text.ts';
import { hashOfNote, sealAt } from './stored-seal.ts';

/** The record of a drop as the database has it. What it states counts only once its signature is verified. */
export interface StoredDrop {
  readonly number: number;
  readonly note: string;
  /** Undefined where the note is not ours. */
  readonly statement: DropStatement | undefined;
}

/** `forged`: it is not what a key signed, or does not belong to these seals. */
export type DropFault = 'forged' | 'unknown_key';

type ReadDrops =
  | { readonly kind: 'read'; readonly drops: readonly DropStatement[] }
  | { readonly kind: 'bad'; readonly fault: DropFault; readonly drop: StoredDrop };

/** The records of all drops, in order: one a month at most. */
export async function storedDrops(db: Kysely<Tables>): Promise<StoredDrop[]> {
  const rows = await db.selectFrom('audit_drop').select(['number', 'note']).orderBy('number').execute();
  return rows.map(({ number, note }) => ({
    number: Number(number),
    note,
    statement: readDropText(note.slice(0, note.lastIndexOf('\n\n') + 1)),
  }));
}

/** The notes of the drops that were signed between a seal and the next. */
export async function dropsAfter(
  db: Kysely<Tables>,
  sealNumber: number,
): Promise<{ readonly number: number; readonly note: string }[]> {
  const rows = await db
    .selectFrom('audit_drop')
    .select(['number', 'note'])
    .where('seal_number', '=', String(sealNumber))
    .orderBy('number')
    .execute();
  return rows.map(({ number, note }) => ({ number: Number(number), note }));
}

/**
 * The records of drops, each verified, or the first that is not what a key signed. The oldest month goes first, so each
 * begins with the seal after the one before: those after a missing one do not count, as its seals then show.
 */
export async function readDrops(db: Kysely<Tables>, keys: readonly VerifierKey[]): Promise<ReadDrops> {
  const drops: DropStatement[] = [];
  for (const drop of await storedDrops(db)) {
    const opened = openNote(drop.note, keys);
    if (opened.kind !== 'signed') return { kind: 'bad', fault: opened.kind, drop };
    const { statement } = drop;
    if (!statement || statement.number !== drop.number || !(await isOfTheseSeals(db, statement)))
      return { kind: 'bad', fault: 'forged', drop };
    if (statement.firstSeal === (drops.at(-1)?.lastSeal ?? 0) + 1) drops.push(statement);
  }
  return { kind: 'read', drops };
}

async function isOfTheseSeals(db: Kysely<Tables>, { lastSeal, sealHash, origin }: DropStatement) {
  const seal = await sealAt(db, lastSeal);
  return seal !== undefined && hashOfNote(seal.note) === sealHash && seal.statement?.origin === origin;
}

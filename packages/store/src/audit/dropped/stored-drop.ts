import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';
import { type DropStatement, readDropText } from '../note/drop-text.ts';
import { openNote } from '../note/signed-note.ts';
import type { VerifierKey } from '../note/verifier-key.ts';
import { hashOfNote, sealAt } from '../sealing/stored-seal.ts';
import { hashOf } from '../tree/tree-hash.ts';
import { type BorderLine, readBorder } from './border.ts';

/** The record of a drop as the database has it. What it states counts only once its signature is verified. */
export interface StoredDrop {
  readonly number: number;
  /** The newest seal when it was signed. */
  readonly sealNumber: number;
  readonly note: string;
  /** Undefined where the note is none of ours. */
  readonly statement: DropStatement | undefined;
  /** See `readBorder`; of the newest record alone, which has what is left of those before. */
  readonly border: Buffer | null;
}

/** What was dropped from the audit and signed off. */
export interface Dropped {
  readonly drops: readonly DropStatement[];
  /** In the order of ids. */
  readonly border: readonly BorderLine[];
}

/** `forged`: it is not what a key signed, or does not belong to these seals. */
export type DropFault = 'forged' | 'unknown_key';

export type ReadDrops =
  | ({ readonly kind: 'read' } & Dropped)
  | { readonly kind: 'bad'; readonly fault: DropFault; readonly drop: StoredDrop };

/** The records of all drops, in order: one a month at most. */
export async function storedDrops(db: Kysely<Tables>): Promise<StoredDrop[]> {
  const { rows } = await sql<{ number: string; seal_number: string; note: string; border: Buffer | null }>`
    select number, seal_number, note,
      case when number = (select max(number) from audit_drop) then border end as border
    from audit_drop order by number`.execute(db);
  return rows.map(({ number, seal_number: sealNumber, note, border }) => ({
    number: Number(number),
    sealNumber: Number(sealNumber),
    note,
    statement: readDropText(note.slice(0, note.lastIndexOf('\n\n') + 1)),
    border,
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

/** The records of all drops, each verified, or the first that is not what a key signed. */
export async function readDrops(db: Kysely<Tables>, keys: readonly VerifierKey[]): Promise<ReadDrops> {
  const stored = await storedDrops(db);
  const drops: DropStatement[] = [];
  for (const drop of stored) {
    const opened = openNote(drop.note, keys);
    if (opened.kind !== 'signed') return { kind: 'bad', fault: opened.kind, drop };
    const { statement } = drop;
    if (!statement || statement.number !== drop.number || !(await isOfTheseSeals(db, statement)))
      return { kind: 'bad', fault: 'forged', drop };
    drops.push(statement);
  }
  const last = stored.at(-1);
  if (!last?.border) return { kind: 'read', drops, border: [] };
  if (hashOf(last.border) !== last.statement?.borderHash) return { kind: 'bad', fault: 'forged', drop: last };
  return { kind: 'read', drops, border: readBorder(last.border) };
}

async function isOfTheseSeals(db: Kysely<Tables>, { lastSeal, sealHash, origin }: DropStatement) {
  const seal = await sealAt(db, lastSeal);
  return seal !== undefined && hashOfNote(seal.note) === sealHash && seal.statement?.origin === origin;
}

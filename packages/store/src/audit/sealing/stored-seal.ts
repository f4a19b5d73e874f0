import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { readSealText, type SealStatement } from '../note/note-text.ts';
import { type Hash, hashOf, TreeEdge } from '../tree.ts';

/** A seal as the database has it. What it states counts only once its signature is verified. */
export interface StoredSeal {
  readonly number: number;
  readonly lastId: bigint;
  readonly sealedAt: Date;
  readonly settledAt: Date | null;
  readonly note: string;
  /** Undefined where the note is none of ours. */
  readonly statement: SealStatement | undefined;
  /** Undefined where the bytes are no edge of a tree of that size. */
  readonly edge: TreeEdge | undefined;
}

interface SealRow {
  readonly number: string;
  readonly last_id: string;
  readonly edge: Buffer;
  readonly sealed_at: Date;
  readonly settled_at: Date | null;
  readonly note: string;
}

const columns = sql`number, last_id, edge, sealed_at, settled_at, note`;

/** The newest seal; undefined when nothing is sealed. */
export async function lastSeal(db: Kysely<Tables>): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal order by number desc limit 1`.execute(db);
  return rows.map(toSeal)[0];
}

/** The seals after one, in order. */
export async function sealsAfter(db: Kysely<Tables>, number: number, limit: number): Promise<StoredSeal[]> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where number > ${number} order by number limit ${limit}`.execute(db);
  return rows.map(toSeal);
}

/** The seals before one, newest first; without one the newest. */
export async function sealsBefore(
  db: Kysely<Tables>,
  number: number | undefined,
  limit: number,
): Promise<StoredSeal[]> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where ${number === undefined ? sql`true` : sql`number < ${number}`}
    order by number desc limit ${limit}`.execute(db);
  return rows.map(toSeal);
}

/** The seal whose range holds a line; undefined while it is not sealed. */
export async function sealOfLine(db: Kysely<Tables>, id: bigint): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where last_id >= ${id} order by last_id limit 1`.execute(db);
  return rows.map(toSeal)[0];
}

/** The last seal whose range ends before a line. */
export async function sealBefore(db: Kysely<Tables>, id: bigint): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where last_id < ${id} order by last_id desc limit 1`.execute(db);
  return rows.map(toSeal)[0];
}

/** One seal by its number. */
export async function sealAt(db: Kysely<Tables>, number: number): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`select ${columns} from audit_seal where number = ${number}`.execute(db);
  return rows.map(toSeal)[0];
}

/** Writes a seal as its note states it. */
export async function insertSeal(
  trx: Transaction<Tables>,
  { number, lastId, at, settledAt }: SealStatement,
  note: string,
  edge: TreeEdge,
): Promise<void> {
  await trx
    .insertInto('audit_seal')
    .values({
      number: String(number),
      last_id: String(lastId),
      edge: edge.bytes,
      sealed_at: at,
      settled_at: settledAt,
      note,
    })
    .execute();
}

/** What the next seal states as the one before. */
export const hashOfNote = (note: string): Hash => hashOf(note);

function toSeal({ number, last_id, edge, sealed_at, settled_at, note }: SealRow): StoredSeal {
  const statement = readSealText(note.slice(0, note.lastIndexOf('\n\n') + 1));
  return {
    number: Number(number),
    lastId: BigInt(last_id),
    sealedAt: sealed_at,
    settledAt: settled_at,
    note,
    statement,
    edge: statement && TreeEdge.read(statement.treeSize, edge),
  };
}

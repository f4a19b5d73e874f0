import type { AuditSeal, AuditSealList } from '@insurance-verification/schema';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { measureUnsealed } from './measure-unsealed.ts';
import { readSealText, type SealStatement } from './note-text.ts';
import { type Hash, hashOf, toBase64, TreeEdge } from './tree.ts';

/** A seal as the database has it. What it states counts only once its signature is verified. */
export interface StoredSeal {
  readonly number: number;
  readonly lastId: bigint;
  readonly sealedAt: Date;
  readonly settledAt: Date | null;
  readonly note: string;
  /** Undefined where the note is not ours. */
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
  return rows.map(toEncrypt)[0];
}

/** The seals after one, in order. */
export async function sealsAfter(db: Kysely<Tables>, number: number, limit: number): Promise<StoredSeal[]> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where number > ${number} order by number limit ${limit}`.execute(db);
  return rows.map(toEncrypt);
}

/** The seals before one, newest first; without one the newest. */
async function sealsBefore(
  db: Kysely<Tables>,
  number: number | undefined,
  limit: number,
): Promise<StoredSeal[]> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where ${number === undefined ? sql`true` : sql`number < ${number}`}
    order by number desc limit ${limit}`.execute(db);
  return rows.map(toEncrypt);
}

/** The seal whose range holds a line; undefined while it is not sealed. */
export async function sealOfLine(db: Kysely<Tables>, id: bigint): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where last_id >= ${id} order by last_id limit 1`.execute(db);
  return rows.map(toEncrypt)[0];
}

/** The last seal whose range ends before a line. */
export async function sealBefore(db: Kysely<Tables>, id: bigint): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from audit_seal where last_id < ${id} order by last_id desc limit 1`.execute(db);
  return rows.map(toEncrypt)[0];
}

/** One seal by its number. */
export async function sealAt(db: Kysely<Tables>, number: number): Promise<StoredSeal | undefined> {
  const { rows } = await sql<SealRow>`select ${columns} from audit_seal where number = ${number}`.execute(db);
  return rows.map(toEncrypt)[0];
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

function toEncrypt({ number, last_id, edge, sealed_at, settled_at, note }: SealRow): StoredSeal {
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

interface SealSearch {
  readonly caller: Caller;
  readonly limit: number;
  /** Only seals before this number. */
  readonly cursor?: number | undefined;
}

/** The seals of the audit, newest first, and what waits for one. */
export async function listSeals(
  { db }: Pick<Store, 'db'>,
  { caller, limit, cursor }: SealSearch,
): Promise<Omit<AuditSealList, 'verifier_keys' | 'stopped'>> {
  const isReached = reachesSeals(caller);
  // One more, which shows whether there are others and how many lines the last one has.
  const seals = isReached ? await sealsBefore(db, cursor, limit + 1) : [];
  const unsealed = isReached ? await measureUnsealed({ db }) : undefined;
  await recordAccess(db, { caller, operation: 'audit.seals' });
  const items = seals.slice(0, limit).map((seal, index) => toItem(seal, seals[index + 1]));
  return {
    items,
    next_cursor: seals.length > limit ? String(items.at(-1)?.seal) : null,
    unsealed_since: unsealed?.since?.toISOString() ?? null,
    unsealed_count: unsealed?.idCount ?? 0,
  };
}

/** A seal as its note states it: not verified here. Of a note that cannot be read the row is returned. */
function toItem({ number, lastId, note, statement }: StoredSeal, before: StoredSeal | undefined): AuditSeal {
  const treeSize = statement?.treeSize ?? 0;
  return {
    seal: number,
    sealed_at: (statement?.at ?? new Date(0)).toISOString(),
    first_id: String(statement?.firstId ?? (before?.lastId ?? 0n) + 1n),
    last_id: String(lastId),
    line_count: Math.max(treeSize - (before?.statement?.treeSize ?? 0), 0),
    tree_size: treeSize,
    misdated_count: statement?.misdatedCount ?? 0,
    root: statement ? toBase64(statement.root) : '',
    note,
  };
}

/** Whether this transaction may write to the chain of seals; of all processes one may at a time. */
export async function trySealingLock(trx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.sealing}::bigint) as mine`.execute(trx);
  return rows[0]?.mine === true;
}

/** Waits until this transaction may. */
export async function waitForSealingLock(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.sealing}::bigint)`.execute(trx);
}

/** Seals are over the lines of all accounts, so a test account's auditor sees none of them, nor how many there are. */
export const reachesSeals = ({ acrossAccounts, mode }: Caller): boolean =>
  acrossAccounts === true && mode === 'live';

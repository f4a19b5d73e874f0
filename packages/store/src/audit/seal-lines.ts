import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { lastIdBeside } from '../months/log-parts.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { type BadTable, checkCatalogue, wordsOf } from './check-catalogue.ts';
import { checkSeal, isAsStated } from './check-seal.ts';
import { keepErasures } from './erasure-file.ts';
import { type Difference, type HeldAgainstFile, compareWithFile } from './hold-against-file.ts';
import type { SealKey } from './keys.ts';
import { addLines } from './line-record.ts';
import { openNote, readSealText, type SealStatement, sealText, signNote } from './note-text.ts';
import { BEFORE_ALL, firstLine, isMisdated, type LineRange } from './pages.ts';
import type { SealFile } from './seal-file.ts';
import { findLockHolders, type LockHolder, completeThrough } from './settled-through.ts';
import { dropsAfter } from './stored-drop.ts';
import { hashOfNote, insertSeal, lastSeal, sealAt, type StoredSeal, trySealingLock } from './stored-seal.ts';
import { TreeEdge } from './tree.ts';

interface Sealing {
  readonly key: SealKey;
  /** What was signed before, which the database must still have. Without it a rewritten past is sealed like any other. */
  readonly file?: SealFile | undefined;
  /** Of this process, and of no other database. */
  readonly memory?: SealMemory | undefined;
  /** Lines of one seal, at most: what was never sealed is sealed in parts. */
  readonly lineCountMax?: number;
  /** How long to wait for transactions that may still write an earlier line. */
  readonly waitMs?: number;
}

export type SealedLines =
  /** `caughtUp`: nothing more was there when it was made. */
  | { readonly kind: 'sealed'; readonly seal: MadeSeal; readonly caughtUp: boolean }
  /** Nothing is new. */
  | { readonly kind: 'none' }
  /** Another process is sealing, or somebody else holds the lock of those who do. */
  | { readonly kind: 'busy'; readonly holders: readonly LockHolder[] }
  /** Transactions that write lines did not end, or somebody locked a table; the next call waits again. */
  | { readonly kind: 'waiting'; readonly holders: readonly LockHolder[] }
  /** The database is not what was signed: nothing is, until it is put right or `resumeSealing` is called. */
  | ({ readonly kind: 'differs' } & Difference)
  /** The file did not have all seals, and gets them before anything more is sealed; the next call continues. */
  | { readonly kind: 'copying' }
  /** The newest seal cannot be gone on from: somebody changed it. */
  | { readonly kind: 'damaged'; readonly number: number };

/**
 * Seals the lines since the last seal, in one transaction that one process has at a time: a killed process has sealed
 * nothing, and the next one begins where the last seal ends. The first seal also holds what was there before. A seal has
 * only lines of one month, so that a month that is dropped takes whole seals.
 *
 * With a file nothing is signed before the database is held against it, under the same lock: who writes to the database
 * alone could otherwise remove seals, change their lines, and have the service sign what is left. A new seal is in the file
 * before it is committed, so that nothing happens to the database between the two. Where the commit then fails, the
 * next call writes the same seal, if the lines are still those that it is over: no other is signed under its number.
 */
export async function sealLines({ db }: Pick<Store, 'db'>, sealing: Sealing): Promise<SealedLines> {
  try {
    const sealed = await db.transaction().execute((trx) => sealNext(trx, sealing));
    if (sealed.kind === 'sealed') remember(sealing.memory, sealed.seal, true);
    return sealed;
  } catch (err) {
    // The role's lock_timeout, or its statement_timeout: somebody locked the log or the table of seals.
    const isLocked = err instanceof pg.DatabaseError && (err.code === '55P03' || err.code === '57014');
    const holders = isLocked ? await findLockHolders(db) : [];
    if (holders.length === 0) throw err;
    return { kind: 'waiting', holders };
  }
}

async function sealNext(trx: Transaction<Tables>, sealing: Sealing): Promise<SealedLines> {
  const { key, file, memory, lineCountMax = 100_000, waitMs = 10_000 } = sealing;
  if (!(await trySealingLock(trx))) return { kind: 'busy', holders: await findLockHolders(trx) };
  const held = file && (await compareWithFile(trx, { file, keys: key.verifiers }));
  if (held?.kind === 'differs') return held;
  const unwritten = await findUnwritten(trx, memory, held);
  if (unwritten && 'kind' in unwritten) return unwritten;
  if (unwritten) {
    const seal = await writeAgain(trx, key, unwritten);
    if (!seal) return { kind: 'differs', fault: 'absent', of: 'seal', number: unwritten.number };
    if (held?.kind === 'held') await append(file, seal);
    return { kind: 'sealed', seal, caughtUp: false };
  }
  if (held?.kind === 'held' && !held.isWhole) return { kind: 'copying' };
  if (file) await keepErasures(trx, file.erasures);
  const last = await lastSeal(trx);
  const tables = await checkCatalogue(trx);
  const edge = last ? last.edge : TreeEdge.empty();
  if (!edge || (last && !isAsStated(last))) return { kind: 'damaged', number: last?.number ?? 0 };
  const after = last?.lastId ?? BEFORE_ALL;
  const settled = await completeThrough(trx, { after, waitMs });
  if (settled.kind === 'none') return settled;
  if (settled.kind === 'waiting')
    return { kind: 'waiting', holders: await findLockHolders(trx, { writers: settled.writers }) };
  const lastId = await endOfRange(trx, { after, through: settled.through }, lineCountMax);
  const sizeBefore = edge.size;
  await addLines(trx, edge, { after, through: lastId });
  const isCaughtUp = lastId === settled.through;
  const { at, ...misdated } = await findMisdated(trx, { after, through: lastId }, last);
  const statement: SealStatement = {
    origin: last?.statement?.origin ?? key.verifier.name,
    treeSize: edge.size,
    root: edge.root(),
    number: (last?.number ?? 0) + 1,
    firstId: (last?.lastId ?? 0n) + 1n,
    lastId,
    at,
    // Of a past that is sealed in parts each part is as old as the whole.
    settledAt: isCaughtUp ? laterOf(settled.at, last?.settledAt) : (last?.settledAt ?? null),
    misdatedCount: misdated.count,
    tables: wordsOf(tables),
    previous: last ? hashOfNote(last.note) : null,
  };
  const note = signNote(sealText(statement), key);
  await insertSeal(trx, statement, note, edge);
  const drops = await dropsAfter(trx, statement.number - 1);
  const seal = { number: statement.number, lineCount: edge.size - sizeBefore, note, misdated, tables, drops };
  remember(memory, seal, false);
  await append(file, seal);
  return { kind: 'sealed', seal, caughtUp: isCaughtUp };
}

async function append(file: SealFile | undefined, { number, note, drops }: MadeSeal): Promise<void> {
  const records = drops.map((drop) => ({ drop: drop.number, note: drop.note }));
  await file?.append([...records, { seal: number, note }]);
}

/**
 * The lines of a range whose time is not when they were written, and the time now, by the database's clock; where that was
 * set back, the time of the last seal: lists look lines up by the times of seals, which must not go back.
 */
async function findMisdated(
  trx: Transaction<Tables>,
  { after, through }: LineRange,
  last: StoredSeal | undefined,
): Promise<{ readonly at: Date; readonly count: number; readonly ids: readonly string[] }> {
  const { rows } = await sql<{ at: Date; count: number; ids: string[] }>`
    with now as (
      select greatest(date_trunc('milliseconds', clock_timestamp()), ${last?.sealedAt ?? null}::timestamptz) as at
    ), misdated as (
      select id from access_log, now where id > ${after} and id <= ${through}
        and ${isMisdated(sql`access_log.at`, sql`${last?.settledAt ?? null}::timestamptz`, sql`now.at`)}
    )
    select now.at, (select count(*) from misdated)::float8 as count,
      array(select id from misdated order by id limit 10)::text[] as ids
    from now`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('The server did not tell the time.');
  return row;
}

const laterOf = (at: Date, before: Date | null | undefined): Date => (before && before > at ? before : at);

/** The last id of the first lines of a range that are of one month. */
async function endOfRange(
  trx: Transaction<Tables>,
  { after, through }: LineRange,
  lineCountMax: number,
): Promise<bigint> {
  const first = await firstLine(trx, { after, through });
  if (first === null) return through;
  const end = lastIdBeside(first) < through ? lastIdBeside(first) : through;
  const { rows } = await sql<{ id: string | null }>`
    select max(id) as id from (
      select id from access_log where id >= ${first} and id <= ${end} order by id limit ${lineCountMax}
    ) as line`.execute(trx);
  return BigInt(rows[0]?.id ?? end);
}

/** A seal that was made. */
interface MadeSeal {
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
 * What a process signed last. The file has it too; this is used without a file, or after the file was removed.
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
function remember(
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
async function findUnwritten(
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

/** Writes such a seal as it was signed; null where it does not continue from the last, or its lines are others. */
async function writeAgain(
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

import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { lastIdBeside } from '../../months/log-parts.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { dropsAfter } from '../dropped/stored-drop.ts';
import { type Difference, holdAgainstFile } from '../kept/hold-against-file.ts';
import type { SealFile } from '../kept/seal-file.ts';
import { findLockHolders, type LockHolder } from '../lines/find-lock-holders.ts';
import { LEAF_OF_LINE } from '../lines/line-record.ts';
import { BEFORE_ALL, firstLine, type LineRange, readPages } from '../lines/pages.ts';
import { settledThrough } from '../lines/settled-through.ts';
import { isMisdated } from '../lines/time-window.ts';
import type { SealKey } from '../note/keys.ts';
import { type SealStatement, sealText } from '../note/note-text.ts';
import { signNote } from '../note/signed-note.ts';
import { HASH_BYTES, TreeEdge } from '../tree.ts';
import { type BadTable, checkCatalogue, wordsOf } from '../verifying/check-catalogue.ts';
import { isAsStated } from '../verifying/check-seal.ts';
import { trySealingLock } from './sealing-lock.ts';
import { hashOfNote, lastSeal, type StoredSeal } from './stored-seal.ts';

export interface Sealing {
  readonly key: SealKey;
  /** What was signed before, which the database must still have. Without it a rewritten past is sealed like any other. */
  readonly file?: SealFile | undefined;
  /** Lines of one seal, at most: what was never sealed is sealed in parts. */
  readonly lineCountMax?: number;
  /** How long to wait for whoever may still write an earlier line. */
  readonly waitMs?: number;
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
  /** The file did not have all seals, and gets them before anything more is sealed; the next call goes on. */
  | { readonly kind: 'copying' }
  /** The newest seal cannot be gone on from: somebody changed it. */
  | { readonly kind: 'damaged'; readonly number: number };

/**
 * Seals the lines since the last seal, in one transaction that one process has at a time: whoever is killed has sealed
 * nothing, and the next one begins where the last seal ends. The first seal also holds what was there before. A seal has
 * lines of one month alone, so that a month that is dropped takes whole seals.
 *
 * With a file nothing is signed before the database is held against it, under the same lock: who writes to the database
 * alone could otherwise remove seals, change their lines, and have the service sign what is left. `copySeals` adds the
 * new seal to the file, after the commit: a seal that was rolled back must not be in it.
 */
export async function sealLines({ db }: Pick<Store, 'db'>, sealing: Sealing): Promise<SealedLines> {
  try {
    return await db.transaction().execute((trx) => sealNext(trx, sealing));
  } catch (err) {
    // The role's lock_timeout, or its statement_timeout: somebody locked the log or the table of seals.
    const isLocked = err instanceof pg.DatabaseError && (err.code === '55P03' || err.code === '57014');
    const holders = isLocked ? await findLockHolders(db) : [];
    if (holders.length === 0) throw err;
    return { kind: 'waiting', holders };
  }
}

async function sealNext(
  trx: Transaction<Tables>,
  { key, file, lineCountMax = 100_000, waitMs = 10_000 }: Sealing,
): Promise<SealedLines> {
  if (!(await trySealingLock(trx))) return { kind: 'busy', holders: await findLockHolders(trx) };
  if (file) {
    const held = await holdAgainstFile(trx, { file, keys: key.verifiers });
    if (held.kind === 'differs') return held;
    if (!held.isWhole) return { kind: 'copying' };
  }
  const last = await lastSeal(trx);
  const tables = await checkCatalogue(trx);
  const edge = last ? last.edge : TreeEdge.empty();
  if (!edge || (last && !isAsStated(last))) return { kind: 'damaged', number: last?.number ?? 0 };
  const after = last?.lastId ?? BEFORE_ALL;
  const settled = await settledThrough(trx, { after, waitMs });
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
  await trx
    .insertInto('audit_seal')
    .values({
      number: String(statement.number),
      last_id: String(lastId),
      edge: edge.bytes,
      sealed_at: at,
      settled_at: statement.settledAt,
      note,
    })
    .execute();
  const drops = await dropsAfter(trx, statement.number - 1);
  const seal = { number: statement.number, lineCount: edge.size - sizeBefore, note, misdated, tables, drops };
  return { kind: 'sealed', seal, caughtUp: isCaughtUp };
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

/** Bytes of hashes after which others get their turn: about a millisecond's. */
const TURN_BYTES = 2_000 * HASH_BYTES;

/**
 * Adds the lines of a range to a tree. The server hashes them, which halves what sealing costs: it need not send them.
 * Whoever verifies reads and hashes the lines themselves.
 */
async function addLines(db: Kysely<Tables>, edge: TreeEdge, range: LineRange): Promise<void> {
  for await (const page of readPages(db, range, sql<Buffer>`sha256(${LEAF_OF_LINE})`)) {
    for (let at = 0; at < page.length; at += HASH_BYTES) {
      if (at % TURN_BYTES === 0) await setImmediate();
      edge.add(page.toString('latin1', at, at + HASH_BYTES));
    }
  }
}

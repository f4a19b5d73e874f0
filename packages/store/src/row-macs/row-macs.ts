import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { MasterKey, MasterKeys } from '../encryption/master-keys.ts';
import type { Tables } from '../tables/tables.ts';
import {
  type Covered,
  COVERED_COLUMNS,
  COVERED_TABLES,
  coveredOf,
  type CoveredTable,
  type CoveredValues,
  valuesIn,
  type WrittenColumns,
} from './covered-columns.ts';

/** A row that has a MAC and is not as the service wrote it, or is gone. */
export interface AlteredRow {
  /** An event's MAC is one of its own: see event-mac.ts. */
  readonly table: CoveredTable | 'event';
  /** Its id, or that of the person, session or account that it is about. */
  readonly id: string;
}

/** Called for rows that were written without the master key. */
export interface RowMacEvents {
  /**
   * Called each time that a row with a wrong MAC is read, or a row is found to be gone: it counts as absent, a legal
   * hold as present.
   */
  readonly onAlteredRow?: ((row: AlteredRow) => void) | undefined;
  /** Called each time that the database wrote another row than it was given: nothing of the transaction stays. */
  readonly onForeignWrite?: ((row: AlteredRow) => void) | undefined;
}

/** The database wrote another row than it was given, such as by a trigger or a rule. Rolls the transaction back. */
class ForeignWriteError extends Error {
  readonly table: CoveredTable;

  constructor(table: CoveredTable) {
    super(`The database wrote another row of ${table} than it was given.`);
    this.name = 'ForeignWriteError';
    this.table = table;
  }
}

/**
 * The MACs of the rows that grant access, so that a person who can write to the database, but has no master key,
 * gains no access by it. HMAC-SHA-256 with a key that HKDF derives from the master key (RFC 5869), over JSON of the
 * table's name and the row's covered columns by name. Null columns are left out, so that a later nullable column
 * changes no MAC.
 *
 * A MAC is computed from the service's own values; the row that the database returns is only compared with them.
 * Otherwise a trigger on a table could have another row signed.
 *
 * In text `k1.…`: the master key's id, and 32 bytes in base64url.
 */
export class RowMacs {
  readonly #current: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #events: RowMacEvents;

  constructor({ current, all }: MasterKeys, events: RowMacEvents = {}) {
    this.#current = current.id;
    this.#keys = new Map([...all].map(([id, key]) => [id, macKey(key)]));
    this.#events = events;
  }

  /** The MAC of a row, under the first master key. */
  sign(table: CoveredTable, columns: WrittenColumns): string {
    return `${this.#current}.${this.#digest(this.#current, table, columns)?.toString('base64url') ?? ''}`;
  }

  /**
   * The covered values of a row that is as the service wrote it, under any of the master keys. Undefined if it is
   * not, which is reported. They are the values that the MAC was computed from: a view could show others next to
   * them.
   */
  open<Table extends CoveredTable>(table: Table, covered: Covered): CoveredValues<Table> | undefined {
    const [id = '', digest = ''] = covered.mac.split('.');
    const expected = this.#digest(id, table, covered.columns);
    const given = Buffer.from(digest, 'base64url');
    if (expected !== undefined && expected.length === given.length && timingSafeEqual(expected, given))
      return valuesIn(table, covered.columns);
    this.report({ table, id: nameOf(covered.columns) });
    return undefined;
  }

  /** Reports a row that the audit shows to be altered although its MAC is right, or to be gone. */
  report(row: AlteredRow): void {
    this.#events.onAlteredRow?.(row);
  }

  /**
   * Compares the row that the database wrote with the one that it was given.
   * @throws {ForeignWriteError} where it is another, which is reported.
   */
  expect(table: CoveredTable, meant: WrittenColumns, written: Covered | undefined): void {
    if (written?.mac === this.sign(table, meant) && written.mac === this.sign(table, written.columns)) return;
    this.#events.onForeignWrite?.({ table, id: nameOf(meant) });
    throw new ForeignWriteError(table);
  }

  /** Undefined for a master key that is not given. */
  #digest(keyId: string, table: CoveredTable, columns: WrittenColumns): Buffer | undefined {
    const key = this.#keys.get(keyId);
    if (!key) return undefined;
    const values = Object.keys(COVERED_COLUMNS[table])
      .filter((name) => columns[name] != null)
      .map((name) => [name, columns[name]]);
    return createHmac('sha256', key)
      .update(JSON.stringify([table, values], sortMembers))
      .digest();
  }
}

/** For `JSON.stringify`: PostgreSQL keeps the members of a `jsonb` in an order of its own. */
function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function macKey({ bytes }: MasterKey): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', 'insurance-verification row mac', 32)));
}

function nameOf(columns: WrittenColumns): string {
  return String(columns['id'] ?? columns['session_id'] ?? columns['staff_id'] ?? columns['account_id']);
}

/** Rows per transaction, as for data keys. */
const BATCH_COUNT = 1_000;

export interface RenewedMacs {
  readonly renewedCount: number;
  /** Rows still signed by another key: a concurrent start is renewing them, or the row was altered. */
  readonly leftCount: number;
}

/**
 * Renews each right MAC of another master key under the first one; an altered row stays as it is. Concurrent starts
 * share the work.
 */
export async function renewRowMacs(
  db: Kysely<Tables>,
  macs: RowMacs,
  masterKeyId: string,
): Promise<RenewedMacs> {
  let renewedCount = 0;
  for (const table of COVERED_TABLES) {
    for (let after: string | null = '(0,0)'; after !== null;) {
      const batch = await renewBatch(db, macs, { table, masterKeyId, after });
      renewedCount += batch.renewedCount;
      after = batch.last;
    }
  }
  const left = await countByMasterKey(db);
  const others = left.filter(({ id }) => id !== masterKeyId);
  return { renewedCount, leftCount: others.reduce((sum, { count }) => sum + count, 0) };
}

interface Batch {
  readonly table: CoveredTable;
  readonly masterKeyId: string;
  /** The place of the last row read: an altered one is not read again. */
  readonly after: string;
}

function renewBatch(db: Kysely<Tables>, macs: RowMacs, { table, masterKeyId, after }: Batch) {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ at: string; covered: Covered }>`
      select ctid::text as at, ${coveredOf(table)} as covered from ${sql.table(table)}
      where ctid > ${after}::tid and mac <> '' and split_part(mac, '.', 1) <> ${masterKeyId}
      order by ctid limit ${BATCH_COUNT} for no key update skip locked`.execute(trx);
    const right = rows.filter(({ covered }) => macs.open(table, covered) !== undefined);
    await sql`
      update ${sql.table(table)} set mac = signed.mac
      from unnest(${right.map(({ at }) => at)}::tid[], ${right.map(({ covered }) => macs.sign(table, covered.columns))}::text[])
        as signed (at, mac)
      where ${sql.table(table)}.ctid = signed.at`.execute(trx);
    const last = rows.length === BATCH_COUNT ? (rows.at(-1)?.at ?? null) : null;
    return { renewedCount: right.length, last };
  });
}

/** How many rows have a MAC of each master key. */
export async function countByMasterKey(
  db: Kysely<Tables>,
): Promise<{ readonly id: string; readonly count: number }[]> {
  const each = COVERED_TABLES.map((table) => sql`select mac from ${sql.table(table)} where mac <> ''`);
  const { rows } = await sql<{ id: string; count: number }>`
    select split_part(mac, '.', 1) as id, count(*)::int as count
    from (${sql.join(each, sql` union all `)}) as signed group by 1 order by 1`.execute(db);
  return rows;
}

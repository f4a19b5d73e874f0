import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { MasterKey, MasterKeys } from '../encryption/master-keys.ts';
import {
  type Covered,
  COVERED_COLUMNS,
  type CoveredTable,
  type CoveredValues,
  valuesIn,
  type WrittenColumns,
} from './covered-columns.ts';

/** A row that has a MAC and is not as the service wrote it, or is gone. */
export interface AlteredRow {
  readonly table: CoveredTable;
  /** Its id, or that of the person, session or account that it is about. */
  readonly id: string;
}

/** What a service does about rows that somebody without the master key wrote. */
export interface RowMacEvents {
  /** Called each time that a row is read whose MAC is wrong, or found to be gone: it counts as absent, a hold as standing. */
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
 * The MACs of the rows that give power, so that whoever can write to the database, and has no master key, gets no more
 * by it. HMAC-SHA-256 by a key that HKDF derives from the master key (RFC 5869), over JSON of the table's name and the
 * row's covered columns by name. Null columns are left out, so that a later nullable column changes no MAC.
 *
 * A MAC is made of what the service means, before the database has seen it; what the database gives back is only compared
 * with it. Otherwise a trigger on a table could have another row signed.
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
   * The covered values of a row that is as the service wrote it, under any of the master keys. Undefined where it is not,
   * which is reported. They are those that the MAC was made of: a view could show others next to them.
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

  /** Reports a row that is wrong although its MAC is right, or that is gone: by what the audit says of it. */
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

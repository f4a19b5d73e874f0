import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { MasterKey, MasterKeys } from '../encryption/master-keys.ts';
import { type Covered, COVERED_COLUMNS, type CoveredTable } from './covered-columns.ts';

/** A row whose MAC is wrong: somebody without the master key wrote it. It counts as absent. */
export interface AlteredRow {
  readonly table: CoveredTable;
  /** Its id, or that of the person or session that it is about. */
  readonly id: string;
}

/**
 * The MACs of the rows that give power, so that whoever can write to the database, and has no master key, gets no more
 * by it. HMAC-SHA-256 by a key that HKDF derives from the master key (RFC 5869), over JSON of the table's name and the
 * row's covered columns by name. Null columns are left out, so that a later nullable column changes no MAC.
 *
 * In text `k1.…`: the master key's id, and 32 bytes in base64url.
 */
export class RowMacs {
  readonly #current: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #onAltered: ((row: AlteredRow) => void) | undefined;

  constructor({ current, all }: MasterKeys, onAltered?: (row: AlteredRow) => void) {
    this.#current = current.id;
    this.#keys = new Map([...all].map(([id, key]) => [id, macKey(key)]));
    this.#onAltered = onAltered;
  }

  /** The MAC of a row, under the first master key. */
  sign(table: CoveredTable, { columns }: Pick<Covered, 'columns'>): string {
    return `${this.#current}.${this.#digest(this.#current, table, columns)?.toString('base64url') ?? ''}`;
  }

  /** Whether a row is as the service wrote it, under any of the master keys. Where it is not, that is reported. */
  verifies(table: CoveredTable, covered: Covered): boolean {
    const [id = '', digest = ''] = covered.mac.split('.');
    const expected = this.#digest(id, table, covered.columns);
    const given = Buffer.from(digest, 'base64url');
    const isRight =
      expected !== undefined && expected.length === given.length && timingSafeEqual(expected, given);
    if (!isRight) this.#onAltered?.({ table, id: nameOf(covered) });
    return isRight;
  }

  /** Undefined for a master key that is not given. */
  #digest(
    keyId: string,
    table: CoveredTable,
    columns: Readonly<Record<string, unknown>>,
  ): Buffer | undefined {
    const key = this.#keys.get(keyId);
    if (!key) return undefined;
    const values = Object.keys(COVERED_COLUMNS[table])
      .filter((name) => columns[name] !== null)
      .map((name) => [name, columns[name]]);
    return createHmac('sha256', key)
      .update(JSON.stringify([table, values]))
      .digest();
  }
}

function macKey({ bytes }: MasterKey): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', 'insurance-verification row mac', 32)));
}

function nameOf({ columns }: Covered): string {
  return String(columns['id'] ?? columns['session_id'] ?? columns['staff_id']);
}

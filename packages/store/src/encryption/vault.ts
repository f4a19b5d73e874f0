import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type RenewedMacs, renewRowMacs } from '../row-macs/renew-row-macs.ts';
import { type AlteredRow, RowMacs } from '../row-macs/row-macs.ts';
import type { Tables } from '../tables/tables.ts';
import { type BlindIndex, type BlindIndexer, createBlindIndex } from './blind-index.ts';
import { checkMasterKeys, WrongMasterKeyError } from './check-master-keys.ts';
import type { MasterKeys } from './master-keys.ts';
import { rewrapDataKeys, type RewrappedKeys } from './rewrap-data-keys.ts';
import { type DataKey, open, seal, SealBrokenError, sealedBy } from './seal.ts';
import { type DataKeyRow, unwrapDataKey, wrapDataKey } from './wrap-data-key.ts';

/** Whose data key seals a value: an account's, or the system's for data without an account. */
export type SealOwner = { readonly accountId: string } | 'system';

/** Seals an account's value for one place, `table.column:row`. */
export type Sealer = (accountId: string, place: string, plaintext: string | Uint8Array) => Buffer;

/**
 * Opens an account's value sealed for one place.
 * @throws {SealBrokenError} also when its key does not load here.
 */
export type Opener = (accountId: string, place: string, sealed: Buffer) => Buffer;

/** A data key, and whose it is: null for the system's. The master key's wrapping binds the two. */
interface OwnedKey extends DataKey {
  readonly accountId: string | null;
}

export interface VaultEvents {
  /** Called where several master keys are given, once the first of them wraps and signs what the others did. */
  readonly onRewrapped?: ((renewed: RenewedKeys) => void) | undefined;
  /** Called each time that a row is read whose MAC is wrong. */
  readonly onAlteredRow?: ((row: AlteredRow) => void) | undefined;
}

/** What a start did about what other master keys than its first wrap and sign. */
export interface RenewedKeys extends RewrappedKeys {
  /** The MACs of rows. */
  readonly rows: RenewedMacs;
}

/**
 * Encrypts patients' data at rest. Every account has its own data key, wrapped by the master key, so dropping one row
 * makes one account's data unreadable.
 */
export class Vault {
  readonly #db: Kysely<Tables>;
  readonly #masterKeys: MasterKeys;
  /** The MACs of the rows that give power. */
  readonly macs: RowMacs;
  #indexKey: KeyObject | undefined;
  readonly #byId = new Map<number, OwnedKey>();
  readonly #byOwner = new Map<string, DataKey>();
  readonly #blindIndexes = new Map<string, BlindIndex>();

  private constructor(db: Kysely<Tables>, masterKeys: MasterKeys, macs: RowMacs) {
    this.#db = db;
    this.#masterKeys = masterKeys;
    this.macs = macs;
  }

  /**
   * Opens the vault; rewraps data keys of older master keys with the current one, and renews the MACs of rows.
   * @throws {WrongMasterKeyError} when the database was written under a master key that is not among these. It stops
   * the start before any row is touched.
   */
  static async open(
    db: Kysely<Tables>,
    masterKeys: MasterKeys,
    { onRewrapped, onAlteredRow }: VaultEvents = {},
  ): Promise<Vault> {
    await checkMasterKeys(db, masterKeys);
    const macs = new RowMacs(masterKeys, onAlteredRow);
    const rewrapped = await rewrapDataKeys(db, masterKeys);
    const rows = await renewRowMacs(db, macs, masterKeys.current.id);
    if (masterKeys.all.size > 1) onRewrapped?.({ ...rewrapped, rows });
    const vault = new Vault(db, masterKeys, macs);
    vault.#indexKey = (await vault.#dataKey(db, 'index', null)).secret;
    await vault.#dataKey(db, 'seal', null);
    // All at once: loading them one by one would need a second connection in the middle of transactions.
    for (const row of await db.selectFrom('data_key').selectAll().execute()) vault.#remember(row);
    return vault;
  }

  /**
   * Seals a value for one place, `table.column:row`. Inside the transaction that creates the account, pass that
   * transaction.
   */
  async seal(
    owner: SealOwner,
    place: string,
    plaintext: string | Uint8Array,
    db = this.#db,
  ): Promise<Buffer> {
    const accountId = owner === 'system' ? null : owner.accountId;
    return seal(
      this.#byOwner.get(accountId ?? '') ?? (await this.#dataKey(db, 'seal', accountId)),
      place,
      plaintext,
    );
  }

  /** Loads the keys of accounts, so that their values are then sealed without a promise for each. */
  async sealerFor(accountIds: readonly string[]): Promise<Sealer> {
    const keys = await this.#keysOf(accountIds);
    return (accountId, place, plaintext) => {
      const key = keys.get(accountId);
      if (!key) throw new Error(`The key of account ${accountId} is not loaded.`);
      return seal(key, place, plaintext);
    };
  }

  /**
   * Loads the keys of accounts for the blind index of one column, `table.column`. The account's own data key is behind
   * it: equal values of two accounts differ, so a copy of the database does not tell that two clinics have one patient.
   */
  async blindIndexerFor(column: string, accountIds: readonly string[]): Promise<BlindIndexer> {
    const keys = await this.#keysOf(accountIds);
    return (accountId, text) => {
      const dataKey = keys.get(accountId);
      if (!dataKey) throw new Error(`The key of account ${accountId} is not loaded.`);
      const name = `${dataKey.id} ${column}`;
      const index = this.#blindIndexes.get(name) ?? createBlindIndex(dataKey, column);
      this.#blindIndexes.set(name, index);
      return index(text);
    };
  }

  /**
   * `owner` is who the row says the value belongs to: the account by which its reader was let see it.
   * @throws {SealBrokenError} when the value was not sealed for this place, or by another's key.
   */
  async open(owner: SealOwner, place: string, sealed: Buffer): Promise<Buffer> {
    const id = sealedBy(sealed);
    const key = this.#byId.get(id) ?? (await this.#loadDataKey(id));
    return openOwned(key, owner === 'system' ? null : owner.accountId, place, sealed);
  }

  /**
   * Loads the keys of sealed values, so that these are then opened without a promise for each. A key that does not load
   * stops what it sealed, and nothing else.
   */
  async openerFor(values: readonly Buffer[]): Promise<Opener> {
    const unknown = new Set(values.flatMap(keyIdIn).filter((id) => !this.#byId.has(id)));
    for (const id of unknown) {
      await this.#loadDataKey(id).catch((err: unknown) => {
        if (!(err instanceof SealBrokenError || err instanceof WrongMasterKeyError)) throw err;
      });
    }
    return (accountId, place, sealed) => {
      const key = this.#byId.get(sealedBy(sealed));
      if (!key) throw new SealBrokenError(`The key of a value at ${place.split(':', 1)[0]} does not load.`);
      return openOwned(key, accountId, place, sealed);
    };
  }

  /** Opens a value sealed as JSON text. The caller names the type it sealed there. */
  async openJson<T>(owner: SealOwner, place: string, sealed: Buffer): Promise<T> {
    return JSON.parse((await this.open(owner, place, sealed)).toString('utf8')) as T;
  }

  /**
   * Keyed HMAC-SHA256, for values that are looked up or compared but never read. `purpose` hides that two columns hold
   * equal texts.
   */
  index(purpose: string, text: string | Uint8Array): Buffer {
    if (!this.#indexKey) throw new Error('The vault is not open.');
    return createHmac('sha256', this.#indexKey).update(purpose).update('\0').update(text).digest();
  }

  /** The keys that seal accounts' values; those that other processes made are loaded at once. */
  async #keysOf(accountIds: readonly string[]): Promise<Map<string, DataKey>> {
    const unknown = [...new Set(accountIds.filter((id) => !this.#byOwner.has(id)))];
    if (unknown.length > 1) await this.#loadKeysOf(unknown);
    const keys = new Map<string, DataKey>();
    for (const id of accountIds)
      if (!keys.has(id)) keys.set(id, this.#byOwner.get(id) ?? (await this.#dataKey(this.#db, 'seal', id)));
    return keys;
  }

  async #loadKeysOf(accountIds: readonly string[]): Promise<void> {
    const rows = await this.#db
      .selectFrom('data_key')
      .selectAll()
      .where('purpose', '=', 'seal')
      .where('account_id', 'in', [...accountIds])
      .execute();
    for (const row of rows) this.#remember(row);
  }

  async #dataKey(db: Kysely<Tables>, purpose: 'seal' | 'index', accountId: string | null): Promise<DataKey> {
    const found = await db
      .selectFrom('data_key')
      .selectAll()
      .where('purpose', '=', purpose)
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .executeTakeFirst();
    // A row seen inside a transaction may still be rolled back, so only committed rows are cached.
    if (found) return db === this.#db ? this.#remember(found) : this.#unwrap(found);
    const { current } = this.#masterKeys;
    const owner = { purpose, account_id: accountId };
    const wrapped = wrapDataKey(current, owner, randomBytes(32));
    // Two processes may both find no key; the unique index accepts one, and both then read it.
    await db
      .insertInto('data_key')
      .values({ ...owner, master_key_id: current.id, wrapped })
      .onConflict((conflict) => conflict.columns(['purpose', 'account_id']).doNothing())
      .execute();
    return this.#dataKey(db, purpose, accountId);
  }

  async #loadDataKey(id: number): Promise<OwnedKey> {
    const row = await this.#db.selectFrom('data_key').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new SealBrokenError(`There is no data key ${id}.`);
    return this.#remember(row);
  }

  #remember(row: DataKeyRow): OwnedKey {
    const key = this.#unwrap(row);
    this.#byId.set(key.id, key);
    if (row.purpose === 'seal') this.#byOwner.set(row.account_id ?? '', key);
    return key;
  }

  #unwrap(row: DataKeyRow): OwnedKey {
    const secret = createSecretKey(unwrapDataKey(this.#masterKeys, row));
    return { id: row.id, accountId: row.account_id, secret };
  }
}

/** Otherwise a row that SQL turned to another account would open for that. */
function openOwned(key: OwnedKey, accountId: string | null, place: string, sealed: Buffer): Buffer {
  if (key.accountId !== accountId)
    throw new SealBrokenError(`A value at ${place.split(':', 1)[0]} belongs to another account.`);
  return open(key, place, sealed);
}

/** None where the value lacks a valid header. */
function keyIdIn(sealed: Buffer): number[] {
  try {
    return [sealedBy(sealed)];
  } catch {
    return [];
  }
}

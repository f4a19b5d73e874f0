import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  countByMasterKey,
  type RenewedMacs,
  renewRowMacs,
  type RowMacEvents,
  RowMacs,
} from '../row-macs/row-macs.ts';
import type { Tables } from '../tables/tables.ts';
import { type BlindIndex, type BlindIndexer, createBlindIndex } from './blind-index.ts';
import { DataKeys, type OwnedKey, rewrapDataKeys, type RewrappedKeys } from './data-keys.ts';
import { type DataKey, decrypt, encrypt, DecryptionError, keyIdOf } from './encrypt.ts';
import { type MasterKey, type MasterKeys, WrongMasterKeyError } from './master-keys.ts';

/** Whose data key encrypts a value: an account's, or the system's for data without an account. */
export type KeyOwner = { readonly accountId: string } | 'system';

/** Encrypts an account's value for one place, `table.column:row`. */
export type Encrypter = (accountId: string, place: string, plaintext: string | Uint8Array) => Buffer;

/**
 * Decrypts an account's value encrypted for one place.
 * @throws {DecryptionError} also when its key does not load here.
 */
export type Decrypter = (accountId: string, place: string, encrypted: Buffer) => Buffer;

export interface VaultEvents extends RowMacEvents {
  /** Called if several master keys are given, after the first of them has rewrapped and signed everything. */
  readonly onRewrapped?: ((renewed: RenewedKeys) => void) | undefined;
}

/** The data keys and the rows of older master keys that a start renewed. */
export interface RenewedKeys extends RewrappedKeys {
  /** The MACs of rows. */
  readonly rows: RenewedMacs;
}

/**
 * Encrypts patients' data at rest. Every account has its own data key, wrapped by the master key, so dropping that row
 * makes one account's data unreadable.
 */
export class Vault {
  readonly #db: Kysely<Tables>;
  readonly #keys: DataKeys;
  /** The MACs of the rows that grant access. */
  readonly macs: RowMacs;
  #indexKey: KeyObject | undefined;
  readonly #blindIndexes = new Map<string, BlindIndex>();

  private constructor(db: Kysely<Tables>, keys: DataKeys, macs: RowMacs) {
    this.#db = db;
    this.#keys = keys;
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
    { onRewrapped, ...events }: VaultEvents = {},
  ): Promise<Vault> {
    await checkMasterKeys(db, masterKeys);
    const macs = new RowMacs(masterKeys, events);
    const rewrapped = await rewrapDataKeys(db, masterKeys);
    const rows = await renewRowMacs(db, macs, masterKeys.current.id);
    if (masterKeys.all.size > 1) onRewrapped?.({ ...rewrapped, rows });
    const keys = new DataKeys(db, masterKeys);
    const vault = new Vault(db, keys, macs);
    vault.#indexKey = (await keys.keyOf(db, 'index', null)).secret;
    await keys.keyOf(db, 'encrypt', null);
    await keys.loadAll();
    return vault;
  }

  /**
   * Encrypts a value for one place, `table.column:row`. Inside the transaction that creates the account, pass that
   * transaction.
   */
  async encrypt(
    owner: KeyOwner,
    place: string,
    plaintext: string | Uint8Array,
    db = this.#db,
  ): Promise<Buffer> {
    const key = await this.#keys.toEncrypt(db, owner === 'system' ? null : owner.accountId);
    return encrypt(key, place, plaintext);
  }

  /** Loads the keys of accounts, so that their values are then encrypted without a promise for each. */
  async encrypterFor(accountIds: readonly string[]): Promise<Encrypter> {
    const keys = await this.#keys.toEncryptFor(accountIds);
    return (accountId, place, plaintext) => {
      const key = keys.get(accountId);
      if (!key) throw new Error(`The key of account ${accountId} is not loaded.`);
      return encrypt(key, place, plaintext);
    };
  }

  /**
   * Loads the keys of accounts for the blind index of one column, `table.column`. Its key comes from the account's
   * own data key: equal values of two accounts differ, so a copy of the database does not show that two clinics have
   * one patient.
   */
  async blindIndexerFor(column: string, accountIds: readonly string[]): Promise<BlindIndexer> {
    const keys = await this.#keys.toEncryptFor(accountIds);
    return (accountId, text) => {
      const dataKey = keys.get(accountId);
      if (!dataKey) throw new Error(`The key of account ${accountId} is not loaded.`);
      return this.#blindIndex(dataKey, column)(text);
    };
  }

  #blindIndex(key: DataKey, column: string): BlindIndex {
    const name = `${key.id} ${column}`;
    const index = this.#blindIndexes.get(name) ?? createBlindIndex(key, column);
    this.#blindIndexes.set(name, index);
    return index;
  }

  /**
   * Decrypts a value. `owner` is the account that the row names: the one by which the reader may see it.
   * @throws {DecryptionError} when the value was not encrypted for this place, or by another's key.
   */
  async decrypt(owner: KeyOwner, place: string, encrypted: Buffer): Promise<Buffer> {
    const id = keyIdOf(encrypted);
    const key = this.#keys.known(id) ?? (await this.#keys.load(id));
    return decryptOwned(key, owner === 'system' ? null : owner.accountId, place, encrypted);
  }

  /**
   * Loads the keys of encrypted values, so that these are then decrypted without a promise for each. A key that does not
   * load fails only the values it encrypted.
   */
  async decrypterFor(values: readonly Buffer[]): Promise<Decrypter> {
    const unknown = new Set(values.flatMap(keyIdIn).filter((id) => !this.#keys.known(id)));
    for (const id of unknown) {
      await this.#keys.load(id).catch((err: unknown) => {
        if (!(err instanceof DecryptionError || err instanceof WrongMasterKeyError)) throw err;
      });
    }
    return (accountId, place, encrypted) => {
      const key = this.#keys.known(keyIdOf(encrypted));
      if (!key) throw new DecryptionError(`The key of a value at ${place.split(':', 1)[0]} does not load.`);
      return decryptOwned(key, accountId, place, encrypted);
    };
  }

  /** Decrypts a value encrypted as JSON text. The caller names the type it encrypted there. */
  async decryptJson<T>(owner: KeyOwner, place: string, encrypted: Buffer): Promise<T> {
    return JSON.parse((await this.decrypt(owner, place, encrypted)).toString('utf8')) as T;
  }

  /**
   * Keyed HMAC-SHA256, for values that are looked up or compared but never read. `purpose` hides that two columns hold
   * equal texts.
   */
  index(purpose: string, text: string | Uint8Array): Buffer {
    if (!this.#indexKey) throw new Error('The vault is not open.');
    return createHmac('sha256', this.#indexKey).update(purpose).update('\0').update(text).digest();
  }
}

/** Checks the owner: otherwise a row whose account was changed by SQL could be read by the other account. */
function decryptOwned(key: OwnedKey, accountId: string | null, place: string, encrypted: Buffer): Buffer {
  if (key.accountId !== accountId)
    throw new DecryptionError(`A value at ${place.split(':', 1)[0]} belongs to another account.`);
  return decrypt(key, place, encrypted);
}

/** None where the value lacks a valid header. */
function keyIdIn(encrypted: Buffer): number[] {
  try {
    return [keyIdOf(encrypted)];
  } catch {
    return [];
  }
}

/**
 * Compares the given master keys with the check values stored at their first use. Otherwise the service would start
 * with a wrong key and fail row by row.
 * @throws {WrongMasterKeyError}
 */
async function checkMasterKeys(db: Kysely<Tables>, { all, current }: MasterKeys): Promise<void> {
  const stored = await db.selectFrom('master_key_check').selectAll().execute();
  for (const { master_key_id: id, value } of stored) {
    const given = all.get(id);
    if (given && !timingSafeEqual(checkValue(given), value)) {
      throw new WrongMasterKeyError(
        `ENCRYPTION_KEY: key "${id}" is not the key this database was written under.`,
      );
    }
  }
  const known = new Set(stored.map((row) => row.master_key_id));
  if (known.size > 0 && ![...all.keys()].some((id) => known.has(id))) {
    throw new WrongMasterKeyError(
      `ENCRYPTION_KEY: this database was written under ${[...known].map((id) => `"${id}"`).join(', ')}, ` +
        `but only ${[...all.keys()].map((id) => `"${id}"`).join(', ')} is given.`,
    );
  }
  const isMissing = ({ id }: { readonly id: string }) => !all.has(id);
  const wrapping = (await countDataKeys(db)).filter(isMissing);
  if (wrapping.length > 0)
    throw new WrongMasterKeyError(
      `ENCRYPTION_KEY: data keys are wrapped by ${list(wrapping)}, which is not given.`,
    );
  // A name that was never a master key's here signs nothing: it was written by SQL.
  const signing = (await countByMasterKey(db)).filter((row) => isMissing(row) && known.has(row.id));
  if (signing.length > 0)
    throw new WrongMasterKeyError(`ENCRYPTION_KEY: rows are signed by ${list(signing)}, which is not given.`);
  if (known.has(current.id)) return;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('master_key_check')
    .values({ master_key_id: current.id, value: checkValue(current) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  // A concurrent start was first. If it used another key under the same id, that must surface now, not at the next
  // start.
  if (numInsertedOrUpdatedRows === 0n) await checkMasterKeys(db, { all, current });
}

/** How many data keys each master key wraps. */
function countDataKeys(db: Kysely<Tables>): Promise<{ id: string; count: string }[]> {
  return db
    .selectFrom('data_key')
    .select(({ fn }) => ['master_key_id as id', fn.countAll<string>().as('count')])
    .groupBy('master_key_id')
    .orderBy('master_key_id')
    .execute();
}

function list(counted: readonly { readonly id: string; readonly count: string | number }[]): string {
  return counted.map(({ id, count }) => `"${id}" (${count} of them)`).join(', ');
}

function checkValue(key: MasterKey): Buffer {
  return createHmac('sha256', key.bytes).update('insurance-verification master key check').digest();
}

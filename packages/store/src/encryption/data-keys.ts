import { createSecretKey, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { MasterKeys } from './master-keys.ts';
import { type DataKey, SealBrokenError } from './seal.ts';
import { type DataKeyRow, unwrapDataKey, wrapDataKey } from './wrap-data-key.ts';

/** A data key and its owner: an account, or null for the system. The master key's wrapping binds the two. */
export interface OwnedKey extends DataKey {
  readonly accountId: string | null;
}

/** The data keys that this process has loaded. An account has one, for all its values. */
export class DataKeys {
  readonly #db: Kysely<Tables>;
  readonly #masterKeys: MasterKeys;
  readonly #byId = new Map<number, OwnedKey>();
  readonly #byOwner = new Map<string, OwnedKey>();

  constructor(db: Kysely<Tables>, masterKeys: MasterKeys) {
    this.#db = db;
    this.#masterKeys = masterKeys;
  }

  /** Loads all at once: one by one they would need a second connection in the middle of transactions. */
  async loadAll(): Promise<void> {
    for (const row of await this.#db.selectFrom('data_key').selectAll().execute()) this.#remember(row);
  }

  /** The key of an id, where it is loaded. */
  known(id: number): OwnedKey | undefined {
    return this.#byId.get(id);
  }

  /** @throws {SealBrokenError} when there is no such key. */
  async load(id: number): Promise<OwnedKey> {
    const row = await this.#db.selectFrom('data_key').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new SealBrokenError(`There is no data key ${id}.`);
    return this.#remember(row);
  }

  /** The key that seals an owner's values. */
  async toSeal(db: Kysely<Tables>, accountId: string | null): Promise<OwnedKey> {
    return this.#byOwner.get(accountId ?? '') ?? (await this.keyOf(db, 'seal', accountId));
  }

  /** The keys that seal accounts' values, by account; those that other processes made are loaded at once. */
  async toSealFor(accountIds: readonly string[]): Promise<Map<string, OwnedKey>> {
    const unknown = [...new Set(accountIds.filter((id) => !this.#byOwner.has(id)))];
    if (unknown.length > 1) {
      const rows = await this.#db
        .selectFrom('data_key')
        .selectAll()
        .where('purpose', '=', 'seal')
        .where('account_id', 'in', unknown)
        .execute();
      for (const row of rows) this.#remember(row);
    }
    const keys = new Map<string, OwnedKey>();
    for (const id of accountIds) keys.set(id, await this.toSeal(this.#db, id));
    return keys;
  }

  /** The key of an owner; made where there is none. */
  async keyOf(db: Kysely<Tables>, purpose: 'seal' | 'index', accountId: string | null): Promise<OwnedKey> {
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
    return this.keyOf(db, purpose, accountId);
  }

  #remember(row: DataKeyRow): OwnedKey {
    const key = this.#byId.get(row.id) ?? this.#unwrap(row);
    this.#byId.set(key.id, key);
    if (row.purpose === 'seal') this.#byOwner.set(row.account_id ?? '', key);
    return key;
  }

  #unwrap(row: DataKeyRow): OwnedKey {
    const secret = createSecretKey(unwrapDataKey(this.#masterKeys, row));
    return { id: row.id, accountId: row.account_id, secret };
  }
}

import { createSecretKey, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { MasterKeys } from './master-keys.ts';
import { type CountedKey, needBlock, reserveBlocks, SUCCEEDED_AT } from './seal-counter.ts';
import { type DataKey, SealBrokenError } from './seal.ts';
import { succeed } from './succeed.ts';
import { type DataKeyRow, unwrapDataKey, wrapDataKey } from './wrap-data-key.ts';

/** A data key, and whose it is: null for the system's. The master key's wrapping binds the two. */
export interface OwnedKey extends DataKey, CountedKey {
  readonly accountId: string | null;
}

/** The data keys that this process has loaded. */
export class DataKeys {
  readonly #db: Kysely<Tables>;
  readonly #masterKeys: MasterKeys;
  readonly #byId = new Map<number, OwnedKey>();
  /** Those that seal new values. */
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

  /** The key that seals an owner's new values, with seals left to make. */
  async toSeal(db: Kysely<Tables>, accountId: string | null): Promise<OwnedKey> {
    const key = this.#byOwner.get(accountId ?? '') ?? (await this.live(db, 'seal', accountId));
    // One that a transaction has not committed cannot be counted yet: its first block is its maker's.
    const [counted = key] = this.#byId.has(key.id) ? await this.#counted([key]) : [];
    return counted;
  }

  /** The keys that seal accounts' values, with seals left to make; those that other processes made are loaded at once. */
  async toSealFor(accountIds: readonly string[]): Promise<Map<string, OwnedKey>> {
    const loaded = await this.#loadFor(accountIds);
    const keys = new Map<string, OwnedKey>();
    for (const key of await this.#counted([...new Set(loaded)])) keys.set(key.accountId ?? '', key);
    return keys;
  }

  /** Every key that accounts have had, also those whose successor another process made. */
  async everyOf(accountIds: readonly string[]): Promise<readonly OwnedKey[]> {
    await this.#loadFor(accountIds);
    const rows = await this.#db
      .selectFrom('data_key')
      .selectAll()
      .where('account_id', 'in', (succeeded) =>
        succeeded.selectFrom('data_key').select('account_id').where('succeeded_at', 'is not', null),
      )
      .where('purpose', '=', 'seal')
      .execute();
    for (const row of rows) if (!this.#byId.has(row.id)) this.#remember(row);
    const wanted = new Set(accountIds);
    return [...this.#byId.values()].filter(({ accountId }) => accountId !== null && wanted.has(accountId));
  }

  /** The live key of an owner; made where there is none. */
  async live(db: Kysely<Tables>, purpose: 'seal' | 'index', accountId: string | null): Promise<OwnedKey> {
    const found = await db
      .selectFrom('data_key')
      .selectAll()
      .where('purpose', '=', purpose)
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .where('succeeded_at', 'is', null)
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
      .onConflict((conflict) =>
        conflict.columns(['purpose', 'account_id']).where('succeeded_at', 'is', null).doNothing(),
      )
      .execute();
    return this.live(db, purpose, accountId);
  }

  async #loadFor(accountIds: readonly string[]): Promise<OwnedKey[]> {
    const unknown = [...new Set(accountIds.filter((id) => !this.#byOwner.has(id)))];
    if (unknown.length > 1) {
      const rows = await this.#db
        .selectFrom('data_key')
        .selectAll()
        .where('purpose', '=', 'seal')
        .where('account_id', 'in', unknown)
        .where('succeeded_at', 'is', null)
        .execute();
      for (const row of rows) this.#remember(row);
    }
    const keys: OwnedKey[] = [];
    for (const id of accountIds) keys.push(this.#byOwner.get(id) ?? (await this.live(this.#db, 'seal', id)));
    return keys;
  }

  /** The keys with seals left to make, each replaced by its successor where it has one, or has sealed enough. */
  async #counted(keys: readonly OwnedKey[]): Promise<readonly OwnedKey[]> {
    const spent = needBlock(keys);
    if (spent.length === 0) return keys;
    const counts = await reserveBlocks(this.#db, spent);
    const counted: OwnedKey[] = [];
    for (const key of keys) {
      const count = counts.get(key.id);
      if (count === undefined || (count !== null && count < SUCCEEDED_AT)) counted.push(key);
      else {
        this.#byOwner.delete(key.accountId ?? '');
        if (count !== null) await succeed(this.#db, this.#masterKeys.current, key);
        counted.push(...(await this.#counted([await this.live(this.#db, 'seal', key.accountId)])));
      }
    }
    return counted;
  }

  #remember(row: DataKeyRow): OwnedKey {
    const key = this.#byId.get(row.id) ?? this.#unwrap(row); // the one that has seals left
    this.#byId.set(key.id, key);
    if (row.purpose === 'seal' && row.succeeded_at === null) this.#byOwner.set(row.account_id ?? '', key);
    return key;
  }

  #unwrap(row: DataKeyRow): OwnedKey {
    const secret = createSecretKey(unwrapDataKey(this.#masterKeys, row));
    return { id: row.id, accountId: row.account_id, secret, left: 0 };
  }
}

import { createSecretKey, randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type DataKey, decrypt, encrypt, DecryptionError } from './encrypt.ts';
import { WrongMasterKeyError } from './master-keys.ts';
import type { MasterKey, MasterKeys } from './master-keys.ts';

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

  /** The key of an id, if it is loaded. */
  known(id: number): OwnedKey | undefined {
    return this.#byId.get(id);
  }

  /** @throws {DecryptionError} when there is no such key. */
  async load(id: number): Promise<OwnedKey> {
    const row = await this.#db.selectFrom('data_key').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new DecryptionError(`There is no data key ${id}.`);
    return this.#remember(row);
  }

  /** The key that encrypts an owner's values. */
  async toEncrypt(db: Kysely<Tables>, accountId: string | null): Promise<OwnedKey> {
    return this.#byOwner.get(accountId ?? '') ?? (await this.keyOf(db, 'encrypt', accountId));
  }

  /** The keys that encrypt accounts' values, by account; those that other processes made are loaded at once. */
  async toEncryptFor(accountIds: readonly string[]): Promise<Map<string, OwnedKey>> {
    const unknown = [...new Set(accountIds.filter((id) => !this.#byOwner.has(id)))];
    if (unknown.length > 1) {
      const rows = await this.#db
        .selectFrom('data_key')
        .selectAll()
        .where('purpose', '=', 'encrypt')
        .where('account_id', 'in', unknown)
        .execute();
      for (const row of rows) this.#remember(row);
    }
    const keys = new Map<string, OwnedKey>();
    for (const id of accountIds) keys.set(id, await this.toEncrypt(this.#db, id));
    return keys;
  }

  /** The key of an owner, created if it does not exist. */
  async keyOf(db: Kysely<Tables>, purpose: 'encrypt' | 'index', accountId: string | null): Promise<OwnedKey> {
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
    if (row.purpose === 'encrypt') this.#byOwner.set(row.account_id ?? '', key);
    return key;
  }

  #unwrap(row: DataKeyRow): OwnedKey {
    const secret = createSecretKey(unwrapDataKey(this.#masterKeys, row));
    return { id: row.id, accountId: row.account_id, secret };
  }
}

/** Rows per transaction: well within the statement time-out, however many accounts there are. */
const BATCH_COUNT = 1_000;

/** The data keys of older master keys that a start rewrapped. */
export interface RewrappedKeys {
  /** The first master key given. */
  readonly masterKeyId: string;
  readonly rewrappedCount: number;
  /** Those that another master key still wraps: a concurrent start is rewrapping them. */
  readonly leftCount: number;
}

/**
 * Rewraps every data key that another master key wraps, so that after one start under `new,old` the old key is no
 * longer needed. Values encrypted by the data keys stay as they are. Concurrent starts share the work: each skips the rows
 * the other has locked, since both can read either form.
 * @throws {WrongMasterKeyError} when a data key is wrapped by a master key that is not given.
 */
export async function rewrapDataKeys(db: Kysely<Tables>, masterKeys: MasterKeys): Promise<RewrappedKeys> {
  const masterKeyId = masterKeys.current.id;
  let rewrappedCount = 0;
  for (let count = BATCH_COUNT; count === BATCH_COUNT; rewrappedCount += count)
    count = await rewrapBatch(db, masterKeys);
  const { left } = await db
    .selectFrom('data_key')
    .select(({ fn }) => fn.countAll().as('left'))
    .where('master_key_id', '!=', masterKeyId)
    .executeTakeFirstOrThrow();
  return { masterKeyId, rewrappedCount, leftCount: Number(left) };
}

function rewrapBatch(db: Kysely<Tables>, masterKeys: MasterKeys): Promise<number> {
  const { current } = masterKeys;
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('data_key')
      .selectAll()
      .where('master_key_id', '!=', current.id)
      .limit(BATCH_COUNT)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return 0;
    const wrapped = rows.map((row) => wrapDataKey(current, row, unwrapDataKey(masterKeys, row)));
    await sql`
      update data_key set master_key_id = ${current.id}, wrapped = rewrapped.wrapped
      from unnest(${rows.map(({ id }) => id)}::integer[], ${wrapped}::bytea[]) as rewrapped (id, wrapped)
      where data_key.id = rewrapped.id`.execute(trx);
    return rows.length;
  });
}

type DataKeyRow = Selectable<Tables['data_key']>;

/** The owner of the key. It is authenticated, so one account's wrapped key does not open as another's. */
type Owner = Pick<DataKeyRow, 'purpose' | 'account_id'>;

/** The value of `data_key.wrapped`: a data key's bytes, encrypted by a master key. */
function wrapDataKey(master: MasterKey, owner: Owner, bytes: Uint8Array): Buffer {
  return encrypt(wrappingKey(master), placeOf(owner), bytes);
}

/** @throws {WrongMasterKeyError} when the wrapping master key is not given. */
function unwrapDataKey({ all }: MasterKeys, row: DataKeyRow): Buffer {
  const master = all.get(row.master_key_id);
  if (!master) {
    throw new WrongMasterKeyError(
      `ENCRYPTION_KEY: data key ${row.id} is wrapped by master key "${row.master_key_id}", which is not given.`,
    );
  }
  return decrypt(wrappingKey(master), placeOf(row), row.wrapped);
}

const placeOf = ({ purpose, account_id: accountId }: Owner) => `data_key:${purpose}:${accountId}`;

/** No data key has the id 0: master keys encrypt only `data_key.wrapped`. */
function wrappingKey(master: MasterKey): DataKey {
  return { id: 0, secret: createSecretKey(master.bytes) };
}

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { MasterKeys } from './master-keys.ts';
import { unwrapDataKey, wrapDataKey } from './wrap-data-key.ts';

/** Rows per transaction: well within the statement time-out, however many accounts there are. */
const BATCH_COUNT = 1_000;

/** What a start did about data keys of other master keys than its first. */
export interface RewrappedKeys {
  /** The first master key given. */
  readonly masterKeyId: string;
  readonly rewrappedCount: number;
  /** Those that another key still wraps: another start has them under way. */
  readonly leftCount: number;
}

/**
 * Rewraps every data key that another master key wraps, so that after one start under `new,old` the old key is no
 * longer needed. Values sealed by the data keys stay as they are. Concurrent starts share the work: each skips the rows
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

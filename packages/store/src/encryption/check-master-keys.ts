import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { countByMasterKey } from '../row-macs/renew-row-macs.ts';
import type { Tables } from '../tables/tables.ts';
import type { MasterKey, MasterKeys } from './master-keys.ts';

/** The database was written under another master key. Nothing was read or written. */
export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
}

/**
 * Compares the given master keys with the check values stored at their first use. Otherwise the service would start
 * with a wrong key and fail row by row.
 * @throws {WrongMasterKeyError}
 */
export async function checkMasterKeys(db: Kysely<Tables>, { all, current }: MasterKeys): Promise<void> {
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
  // A name that was never a master key's here signs nothing: somebody wrote it there.
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

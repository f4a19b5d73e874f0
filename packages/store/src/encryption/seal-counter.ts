import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/**
 * Seals that a process reserves at once. `data_key.seal_count` is written once in so many, and is never too low: too high by
 * a block at most for each process that ended, and each key.
 */
export const BLOCK = 65_536;

/** Larger than any statement needs; at least this many remain when a key is returned. */
const LEFT_MIN = BLOCK / 2;

/**
 * A key with so many seals is succeeded. Other processes go on with it for the rest of their block: a long way below
 * 2^32, at which random IVs of AES-GCM are no longer safe (NIST SP 800-38D, 8.3).
 */
export const SUCCEEDED_AT = 3 * 2 ** 30;

/** A data key that seals, and how many seals of its block are left. */
export interface CountedKey {
  readonly id: number;
  left: number;
}

/** The keys that need another block before they seal. */
export const needBlock = <Key extends CountedKey>(keys: Iterable<Key>): Key[] =>
  [...keys].filter(({ left }) => left < LEFT_MIN);

/**
 * Reserves a block for each key, in one statement.
 * @returns by id the seals of all processes, with this block; null where another process had the key succeeded.
 */
export async function reserveBlocks(
  db: Kysely<Tables>,
  keys: readonly CountedKey[],
): Promise<ReadonlyMap<number, number | null>> {
  const ids = keys.map(({ id }) => id);
  const { rows } = await sql<{ id: number; seal_count: string }>`
    with live as (
      select id from data_key where id = any (${ids}) and succeeded_at is null order by id for no key update
    )
    update data_key set seal_count = seal_count + ${BLOCK} from live where data_key.id = live.id
    returning data_key.id, seal_count`.execute(db);
  const counts = new Map(rows.map((row) => [row.id, Number(row.seal_count)]));
  for (const key of keys) if (counts.has(key.id)) key.left += BLOCK;
  return new Map(ids.map((id) => [id, counts.get(id) ?? null]));
}

/** How often the key that sealed most has sealed, of those that seal new values. */
export async function measureSeals({ keyDb }: { readonly keyDb: Kysely<Tables> }): Promise<number> {
  const { rows } = await sql<{ most: string | null }>`
    select max(seal_count) as most from data_key where succeeded_at is null`.execute(keyDb);
  return Number(rows[0]?.most ?? 0);
}

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type Covered, COVERED_TABLES, coveredOf, type CoveredTable } from './covered-columns.ts';
import type { RowMacs } from './row-macs.ts';

/** Rows per transaction, as for data keys. */
const BATCH_COUNT = 1_000;

export interface RenewedMacs {
  readonly renewedCount: number;
  /** Rows whose MAC is another key's still: another start has them under way, or the row was altered. */
  readonly leftCount: number;
}

/**
 * Writes each MAC of another master key again under the first one, where it is right: a row that was altered stays so.
 * Concurrent starts share the work.
 */
export async function renewRowMacs(
  db: Kysely<Tables>,
  macs: RowMacs,
  masterKeyId: string,
): Promise<RenewedMacs> {
  let renewedCount = 0;
  for (const table of COVERED_TABLES) {
    for (let after: string | null = '(0,0)'; after !== null;) {
      const batch = await renewBatch(db, macs, { table, masterKeyId, after });
      renewedCount += batch.renewedCount;
      after = batch.last;
    }
  }
  const left = await countByMasterKey(db);
  const others = left.filter(({ id }) => id !== masterKeyId);
  return { renewedCount, leftCount: others.reduce((sum, { count }) => sum + count, 0) };
}

interface Batch {
  readonly table: CoveredTable;
  readonly masterKeyId: string;
  /** The place of the last row that was looked at: one that is altered is not looked at again. */
  readonly after: string;
}

function renewBatch(db: Kysely<Tables>, macs: RowMacs, { table, masterKeyId, after }: Batch) {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ at: string; covered: Covered }>`
      select ctid::text as at, ${coveredOf(table)} as covered from ${sql.table(table)}
      where ctid > ${after}::tid and mac <> '' and split_part(mac, '.', 1) <> ${masterKeyId}
      order by ctid limit ${BATCH_COUNT} for no key update skip locked`.execute(trx);
    const right = rows.filter(({ covered }) => macs.open(table, covered) !== undefined);
    await sql`
      update ${sql.table(table)} set mac = signed.mac
      from unnest(${right.map(({ at }) => at)}::tid[], ${right.map(({ covered }) => macs.sign(table, covered.columns))}::text[])
        as signed (at, mac)
      where ${sql.table(table)}.ctid = signed.at`.execute(trx);
    const last = rows.length === BATCH_COUNT ? (rows.at(-1)?.at ?? null) : null;
    return { renewedCount: right.length, last };
  });
}

/** How many rows have a MAC of each master key. */
export async function countByMasterKey(
  db: Kysely<Tables>,
): Promise<{ readonly id: string; readonly count: number }[]> {
  const each = COVERED_TABLES.map((table) => sql`select mac from ${sql.table(table)} where mac <> ''`);
  const { rows } = await sql<{ id: string; count: number }>`
    select split_part(mac, '.', 1) as id, count(*)::int as count
    from (${sql.join(each, sql` union all `)}) as signed group by 1 order by 1`.execute(db);
  return rows;
}

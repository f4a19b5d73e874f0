import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type Covered, coveredOf, type CoveredTable } from './covered-columns.ts';
import type { RowMacs } from './row-macs.ts';

interface Inside {
  readonly db: Kysely<Tables>;
  readonly vault: { readonly macs: RowMacs };
}

type Row<Table extends CoveredTable> = Selectable<Tables[Table]>;

/** A row, its place in the table, and what its MAC covers. */
type ReadRow<Table extends CoveredTable> = Row<Table> & { readonly at: string; readonly covered: Covered };

interface Choice {
  readonly where: RawBuilder<boolean>;
  /** Locks the rows until the transaction ends. */
  readonly lock?: 'for update' | 'for no key update';
}

/** The rows that a condition finds, without those whose MAC is wrong. */
export async function readRows<Table extends CoveredTable>(
  { db, vault }: Inside,
  table: Table,
  { where, lock }: Choice,
): Promise<ReadRow<Table>[]> {
  const { rows } = await sql<ReadRow<Table>>`
    select ${sql.table(table)}.*, ${sql.table(table)}.ctid::text as at, ${coveredOf(table)} as covered
    from ${sql.table(table)} where ${where} ${sql.raw(lock ?? '')}`.execute(db);
  return rows.filter(({ covered }) => vault.macs.verifies(table, covered));
}

/** The one row that a condition finds; undefined where its MAC is wrong. */
export async function findRow<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  where: RawBuilder<boolean>,
): Promise<ReadRow<Table> | undefined> {
  const [row] = await readRows(inside, table, { where });
  return row;
}

/**
 * Changes rows inside a transaction, and writes their MACs anew. A row whose MAC is wrong is not found: a change must
 * not give it a right one.
 * @returns the rows as they are then.
 */
export async function changeRows<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  { where, set }: { readonly where: RawBuilder<boolean>; readonly set: RawBuilder<unknown> },
): Promise<Row<Table>[]> {
  const found = await readRows(inside, table, { where, lock: 'for no key update' });
  if (found.length === 0) return [];
  const { rows } = await sql<ReadRow<Table>>`
    update ${sql.table(table)} set ${set} where ctid = any (${found.map(({ at }) => at)}::tid[])
    returning ${sql.table(table)}.*, ctid::text as at, ${coveredOf(table)} as covered`.execute(inside.db);
  await writeMacs(inside, table, rows);
  return rows;
}

/** Writes the MACs of rows that this transaction inserted, or set in each covered column. */
export async function signRows(
  inside: Inside,
  table: CoveredTable,
  where: RawBuilder<boolean>,
): Promise<void> {
  const { rows } = await sql<{ at: string; covered: Covered }>`
    select ctid::text as at, ${coveredOf(table)} as covered from ${sql.table(table)} where ${where}`.execute(
    inside.db,
  );
  await writeMacs(inside, table, rows);
}

/** The rows are locked, so each is still in its place. */
export async function writeMacs(
  { db, vault }: Inside,
  table: CoveredTable,
  rows: readonly { readonly at: string; readonly covered: Covered }[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} set mac = signed.mac
    from unnest(${rows.map(({ at }) => at)}::tid[], ${rows.map(({ covered }) => vault.macs.sign(table, covered))}::text[])
      as signed (at, mac)
    where ${sql.table(table)}.ctid = signed.at`.execute(db);
}

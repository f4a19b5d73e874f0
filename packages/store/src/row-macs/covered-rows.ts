import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import {
  type Covered,
  coveredOf,
  type CoveredTable,
  type CoveredValues,
  type WrittenColumns,
  writtenAs,
} from './covered-columns.ts';
import type { RowMacs } from './row-macs.ts';

interface Inside {
  readonly db: Kysely<Tables>;
  readonly vault: { readonly macs: RowMacs };
}

type Row<Table extends CoveredTable> = Selectable<Tables[Table]>;

/** A row, its place in the table, and what its MAC covers. */
type ReadRow<Table extends CoveredTable> = Row<Table> & { readonly at: string; readonly covered: Covered };

/** A row as the service means it: every covered column, and others that have no default or shall not have it. */
type NewRow<Table extends CoveredTable> = CoveredValues<Table> &
  Partial<Omit<Row<Table>, keyof CoveredValues<Table> | 'mac'>>;

interface Choice<Table extends CoveredTable> {
  /** Selects by covered columns. The service compares them again: a view could return another valid row. */
  readonly is?: Partial<CoveredValues<Table>>;
  /** A further condition on the rows. */
  readonly where?: RawBuilder<boolean>;
  /** Locks the rows until the transaction ends. */
  readonly lock?: 'for update' | 'for no key update';
}

/** The rows of a choice, without those whose MAC is wrong. Covered columns are as their MAC has them. */
export async function readRows<Table extends CoveredTable>(
  { db, vault }: Inside,
  table: Table,
  { is = {}, where = sql<boolean>`true`, lock }: Choice<Table>,
): Promise<ReadRow<Table>[]> {
  const { rows } = await sql<ReadRow<Table>>`
    select ${sql.table(table)}.*, ${sql.table(table)}.ctid::text as at, ${coveredOf(table)} as covered
    from ${sql.table(table)} where ${conditionOf(is)} and (${where}) ${sql.raw(lock ?? '')}`.execute(db);
  const expected = Object.entries(writtenAs(table, is));
  return rightRows(vault.macs, table, rows).filter(({ covered }) =>
    expected.every(([name, value]) => isDeepStrictEqual(covered.columns[name], value)),
  );
}

function conditionOf(is: object): RawBuilder<boolean> {
  const each = Object.entries(is).map(([name, value]: [string, unknown]) =>
    value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`,
  );
  return each.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(each, sql` and `)}`;
}

/** Those of the rows whose MAC is right, with the covered columns as it has them. */
export const rightRows = <Table extends CoveredTable, Read extends { readonly covered: Covered }>(
  macs: RowMacs,
  table: Table,
  rows: readonly Read[],
): Read[] =>
  rows.flatMap((row) => {
    const values = macs.open(table, row.covered);
    return values ? [{ ...row, ...values }] : [];
  });

/** The one row of a choice; undefined where its MAC is wrong. */
export async function findRow<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  choice: Choice<Table>,
): Promise<ReadRow<Table> | undefined> {
  const [row] = await readRows(inside, table, choice);
  return row;
}

/**
 * Whether any row matches. One with a wrong MAC counts: if a match requires a second person, altering the other rows
 * must not avoid that.
 */
export async function someRow<Table extends CoveredTable>(
  { db, vault }: Inside,
  table: Table,
  isSo: (row: CoveredValues<Table>) => boolean,
): Promise<boolean> {
  const { rows } = await sql<{ covered: Covered }>`
    select ${coveredOf(table)} as covered from ${sql.table(table)}`.execute(db);
  return rows.some(({ covered }) => {
    const row = vault.macs.open(table, covered);
    return row === undefined || isSo(row);
  });
}

/** The start of the transaction by the database's clock, to the millisecond, for covered instants. */
export async function readNow(db: Kysely<Tables>): Promise<Date> {
  const { now } = await db.selectNoFrom(sql<Date>`pg_catalog.now()`.as('now')).executeTakeFirstOrThrow();
  return now;
}

/**
 * Inserts a row with its MAC, inside a transaction.
 * @returns the row, once the database has answered with it.
 * @throws {ForeignWriteError} when the database wrote another row, or none.
 */
export async function insertRow<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  row: NewRow<Table>,
): Promise<Row<Table>> {
  const meant = writtenAs(table, row);
  const columns = Object.entries({ ...row, mac: inside.vault.macs.sign(table, meant) });
  const statement = sql`
    insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    values (${sql.join(columns.map(([, value]) => value))})`;
  return write(inside, table, { meant, statement });
}

/**
 * Changes rows inside a transaction, and signs the values of their MACs together with the new ones. A row whose MAC
 * is wrong is not found: a change must not give it a right one.
 * @param set the changed columns; nothing is written if it returns none.
 * @returns the rows after the change.
 * @throws {ForeignWriteError} when the database wrote another row, or none.
 */
export async function changeRows<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  { set, ...choice }: Choice<Table> & { readonly set: (row: Row<Table>) => Partial<CoveredValues<Table>> },
): Promise<Row<Table>[]> {
  const found = await readRows(inside, table, { lock: 'for no key update', ...choice });
  const changed: Row<Table>[] = [];
  for (const row of found) {
    const change = set(row);
    const meant = { ...row.covered.columns, ...writtenAs(table, change) };
    const isSame = isDeepStrictEqual(meant, row.covered.columns);
    // It is locked, so it is still in its place.
    const where = sql<boolean>`ctid = ${row.at}::tid`;
    changed.push(isSame ? row : await update(inside, table, { where, change, meant }));
  }
  return changed;
}

/**
 * Sets every covered column of a row, also of an altered one, and so its MAC.
 * @throws {ForeignWriteError} when the database wrote another row, or none.
 */
export async function overwriteRow<Table extends CoveredTable>(
  inside: Inside,
  table: Table,
  row: CoveredValues<Table> & { readonly id: string },
): Promise<void> {
  const where = sql<boolean>`id = ${row.id}`;
  await update(inside, table, { where, change: row, meant: writtenAs(table, row) });
}

interface Change {
  readonly where: RawBuilder<boolean>;
  readonly change: object;
  readonly meant: WrittenColumns;
}

function update<Table extends CoveredTable>(inside: Inside, table: Table, { where, change, meant }: Change) {
  const columns = Object.entries({ ...change, mac: inside.vault.macs.sign(table, meant) });
  const set = columns.map(([name, value]: [string, unknown]) => sql`${sql.ref(name)} = ${value}`);
  const statement = sql`update ${sql.table(table)} set ${sql.join(set)} where ${where}`;
  return write(inside, table, { meant, statement });
}

interface Write {
  readonly meant: WrittenColumns;
  readonly statement: RawBuilder<unknown>;
}

/** Runs a statement that writes one row, and compares the written row. */
async function write<Table extends CoveredTable>(
  { db, vault }: Inside,
  table: Table,
  { meant, statement }: Write,
): Promise<Row<Table>> {
  const { rows } = await sql<ReadRow<Table>>`
    ${statement} returning ${sql.table(table)}.*, ${coveredOf(table)} as covered`.execute(db);
  const [row] = rows;
  vault.macs.expect(table, meant, rows.length === 1 ? row?.covered : undefined);
  const [written] = rightRows(vault.macs, table, rows);
  if (!written) throw new Error('A row that is as it was meant opens.');
  return written;
}

import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** How a column's value is written under a MAC: exactly, and the same by this service and by the database. */
type Writing = 'json' | 'hex' | 'microseconds';

/**
 * The rows that grant access or decide what is erased, with the columns that define who may sign in, what they may
 * do, and what is retained. A new column is added only here. Columns that a use changes (`last_used_at`, `used_at`,
 * `on_call_until`) and columns without effect (names, times of creation) are left out.
 */
export const COVERED_COLUMNS = {
  account: {
    id: 'json',
    kind: 'json',
    mode: 'json',
    suspended_at: 'microseconds',
    allowed_cidrs: 'json',
  },
  api_key: {
    id: 'json',
    account_id: 'json',
    hash: 'hex',
    scopes: 'json',
    bootstrap: 'json',
    expires_at: 'microseconds',
    revoked_at: 'microseconds',
    allowed_cidrs: 'json',
    created_by: 'json',
    made_by: 'json',
    verify_within: 'json',
  },
  staff: {
    id: 'json',
    account_id: 'json',
    roles: 'json',
    allowed_cidrs: 'json',
    verify_within: 'json',
    ended_at: 'microseconds',
    made_by: 'json',
  },
  staff_identity: {
    issuer: 'json',
    subject: 'json',
    staff_id: 'json',
    signed_in_at: 'microseconds',
    link_by: 'json',
  },
  sign_in_link: { hash: 'hex', staff_id: 'json', expires_at: 'microseconds', made_by: 'json' },
  staff_session: {
    id: 'json',
    staff_id: 'json',
    hash: 'hex',
    origin_hash: 'hex',
    expires_at: 'microseconds',
    ended_at: 'microseconds',
    way: 'json',
    link_by: 'json',
    proven_at: 'microseconds',
    issuer: 'json',
    provider_sid: 'json',
  },
  emergency_access: {
    session_id: 'json',
    staff_id: 'json',
    begun_at: 'microseconds',
    ends_at: 'microseconds',
  },
  erasure: {
    id: 'json',
    request_id: 'json',
    reason: 'json',
    asked_by: 'json',
    asked_in: 'json',
    enrolled_by: 'json',
    asked_at: 'microseconds',
    wrong_count: 'json',
    confirmed_by: 'json',
    erased_at: 'microseconds',
  },
  legal_hold: {
    id: 'json',
    request_id: 'json',
    account_id: 'json',
    ended_at: 'microseconds',
    ended_by: 'json',
  },
  retention_asking: {
    account_id: 'json',
    days: 'json',
    asked_by: 'json',
    asked_in: 'json',
    enrolled_by: 'json',
    asked_at: 'microseconds',
  },
} as const satisfies Record<string, Readonly<Record<string, Writing>>>;

export type CoveredTable = keyof typeof COVERED_COLUMNS;

export const COVERED_TABLES = Object.keys(COVERED_COLUMNS) as CoveredTable[];

/** The values of a row that its MAC covers. An instant of the service's is of whole milliseconds. */
export type CoveredValues<Table extends CoveredTable> = Pick<
  Selectable<Tables[Table]>,
  keyof (typeof COVERED_COLUMNS)[Table] & keyof Selectable<Tables[Table]>
>;

/** The covered columns in the form that a MAC is computed from, by name. */
export type WrittenColumns = Readonly<Record<string, unknown>>;

/** A row's MAC and the columns it covers, as {@link coveredOf} reads them. */
export interface Covered {
  /** Empty where it was never written. */
  readonly mac: string;
  readonly columns: WrittenColumns;
}

/**
 * Reads a row's {@link Covered}; `table` may be in a join. Functions are named with their schema: otherwise a
 * function that someone added to the database could match better, and return the values for which a MAC was right.
 */
export function coveredOf(table: CoveredTable): RawBuilder<Covered> {
  const columns = Object.entries<Writing>(COVERED_COLUMNS[table]).map(
    ([name, writing]) => sql`${sql.lit(name)}, ${written(sql.ref(`${table}.${name}`), writing)}`,
  );
  return sql<Covered>`pg_catalog.jsonb_build_object('mac', ${sql.ref(`${table}.mac`)},
    'columns', pg_catalog.jsonb_build_object(${sql.join(columns)}))`;
}

function written(column: RawBuilder<unknown>, writing: Writing): RawBuilder<unknown> {
  if (writing === 'hex') return sql`pg_catalog.encode(${column}, 'hex')`;
  // As text: as a number it would lose the microseconds.
  return writing === 'microseconds'
    ? sql`extract(epoch from ${column})::text`
    : sql`pg_catalog.to_jsonb(${column})`;
}

/** Some values of the service's, as {@link coveredOf} reads them from a row that has them. */
export function writtenAs<Table extends CoveredTable>(
  table: Table,
  values: Partial<CoveredValues<Table>>,
): WrittenColumns {
  const given: Readonly<Record<string, unknown>> = values;
  const names = Object.keys(COVERED_COLUMNS[table]).filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, writeValue(given[name])]));
}

function writeValue(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return value instanceof Date ? secondsOf(value) : value;
}

/** As `extract(epoch from …)` writes it: six decimals. */
function secondsOf(instant: Date): string {
  const ms = instant.getTime();
  const digits = String(Math.abs(ms)).padStart(4, '0');
  return `${ms < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}000`;
}

/** The values of a row's covered columns, read back from what its MAC was made of. */
export function valuesIn<Table extends CoveredTable>(
  table: Table,
  columns: WrittenColumns,
): CoveredValues<Table> {
  const read = Object.entries<Writing>(COVERED_COLUMNS[table]).map(([name, writing]) => [
    name,
    readValue(columns[name], writing),
  ]);
  return Object.fromEntries(read) as CoveredValues<Table>;
}

function readValue(value: unknown, writing: Writing): unknown {
  if (typeof value !== 'string' || writing === 'json') return value;
  // Of its digits: as a number of seconds it would lose milliseconds. Infinity is an invalid date, which nothing is before.
  return writing === 'hex'
    ? Buffer.from(value, 'hex')
    : new Date(Number(value.slice(0, -3).replace('.', '')));
}

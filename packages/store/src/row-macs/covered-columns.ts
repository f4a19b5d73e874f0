import { type RawBuilder, sql } from 'kysely';

/** How a column's value is written under a MAC: exactly, and the same whatever the session is set to. */
type Writing = 'json' | 'hex' | 'microseconds';

/**
 * The rows that give power, and their columns that say who gets in and what they may do. A new column is added here
 * and nowhere else. Left out is what a use changes (`last_used_at`, `used_at`, `on_call_until`), and what gives nobody
 * anything (names, times of creation).
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
    verify_within: 'json',
  },
  staff: {
    id: 'json',
    account_id: 'json',
    roles: 'json',
    allowed_cidrs: 'json',
    verify_within: 'json',
    ended_at: 'microseconds',
  },
  staff_identity: { issuer: 'json', subject: 'json', staff_id: 'json', signed_in_at: 'microseconds' },
  sign_in_link: { hash: 'hex', staff_id: 'json', expires_at: 'microseconds' },
  staff_session: {
    id: 'json',
    staff_id: 'json',
    hash: 'hex',
    origin_hash: 'hex',
    expires_at: 'microseconds',
    ended_at: 'microseconds',
    way: 'json',
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
} as const satisfies Record<string, Readonly<Record<string, Writing>>>;

export type CoveredTable = keyof typeof COVERED_COLUMNS;

export const COVERED_TABLES = Object.keys(COVERED_COLUMNS) as CoveredTable[];

/** A row's MAC and what it covers, as {@link coveredOf} reads them. */
export interface Covered {
  /** Empty where it was never written. */
  readonly mac: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Reads a row's {@link Covered}; `table` may be in a join. */
export function coveredOf(table: CoveredTable): RawBuilder<Covered> {
  const columns = Object.entries<Writing>(COVERED_COLUMNS[table]).map(
    ([name, writing]) => sql`${sql.lit(name)}, ${written(sql.ref(`${table}.${name}`), writing)}`,
  );
  return sql<Covered>`jsonb_build_object('mac', ${sql.ref(`${table}.mac`)}, 'columns', jsonb_build_object(${sql.join(columns)}))`;
}

function written(column: RawBuilder<unknown>, writing: Writing): RawBuilder<unknown> {
  if (writing === 'hex') return sql`encode(${column}, 'hex')`;
  // As text: as a number it would lose the microseconds.
  return writing === 'microseconds' ? sql`extract(epoch from ${column})::text` : sql`to_jsonb(${column})`;
}

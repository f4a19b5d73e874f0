import type pg from 'pg';

/** A value as text, or bytes in base64: the same for equal values, whatever type it was given in. */
export type Written = string | null | { readonly base64: string } | readonly Written[];

/** One statement that a process sent, and what it got. */
export interface Statement {
  /** The connection: that of the operations, or the one for keys, which is used beside it. */
  readonly on: 'db' | 'keyDb';
  readonly text: string;
  readonly values: readonly Written[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Written[])[];
}

function write(value: unknown): Written {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(write);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A statement together with its answer. */
export function statementOf(
  on: Statement['on'],
  text: string,
  values: readonly unknown[],
  { fields, rows }: pg.QueryResult<Record<string, unknown>>,
): Statement {
  const columns = fields.map(({ name }) => name);
  return {
    on,
    text,
    values: values.map(write),
    columns,
    rows: rows.map((row) => columns.map((column) => write(row[column]))),
  };
}

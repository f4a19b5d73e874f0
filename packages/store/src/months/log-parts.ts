import type pg from 'pg';
import { clientFor } from '../connection/client-for.ts';

/** The access log, the only partitioned table: by ranges of ids, one for each month. */
export const LOG = 'access_log';

/** The number of ids of a month: enough for 38,000 lines a second, more than a month ever has. */
export const IDS_PER_MONTH = 100_000_000_000n;

/** The lowest id of a month. The partition of the first month also holds all lower ids. */
export function firstIdOf(month: Month): bigint {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return BigInt((year - 1970) * 12 + number - 1) * IDS_PER_MONTH;
}

/** The highest id of the month that an id belongs to. */
export const lastIdBeside = (id: bigint): bigint => (id / IDS_PER_MONTH + 1n) * IDS_PER_MONTH - 1n;

/** A partition of the access log: of a month, or `later` or `earlier`, for ids above or below all months. */
export interface LogPart {
  readonly name: string;
  readonly month: Month | 'later' | 'earlier';
  /** The lower bound of its ids; null: unbounded. */
  readonly from: bigint | null;
  /** The upper bound of its ids, exclusive; null: unbounded. */
  readonly to: bigint | null;
  /** Whether an interrupted drop has left it half detached (`pg_inherits.inhdetachpending`). */
  readonly isLeaving: boolean;
  /** The estimated number of rows (`pg_class.reltuples`); 0 before the first `analyze`. */
  readonly rowCount: number;
  /** Bytes on disk, with indexes. */
  readonly byteCount: number;
}

/** The table name of a month's partition. */
export const partOf = (month: Month): string => `${LOG}_${month.replace('-', '_')}`;

const bound = (word: 'FROM' | 'TO') => `substring(bounds from $re$${word} \\('(-?\\d+)'\\)$re$)`;

/** The partitions of the access log, earliest first. */
export async function readLogParts(client: pg.ClientBase): Promise<LogPart[]> {
  const { rows } = await client.query<
    Omit<LogPart, 'month' | 'from' | 'to'> & { from: string | null; to: string | null }
  >(
    `select relname as name, ${bound('FROM')} as from, ${bound('TO')} as to, inhdetachpending as "isLeaving",
       greatest(reltuples, 0)::float8 as "rowCount", pg_total_relation_size(part.oid)::float8 as "byteCount"
     from pg_inherits join pg_class part on part.oid = inhrelid
     cross join lateral pg_get_expr(relpartbound, part.oid) as bounds
     where inhparent = '${LOG}'::regclass
     order by ${bound('FROM')}::bigint nulls first`,
  );
  const idOf = (text: string | null) => (text === null ? null : BigInt(text));
  return rows.map((row) => ({ ...row, month: monthOf(row.name), from: idOf(row.from), to: idOf(row.to) }));
}

function monthOf(name: string): LogPart['month'] {
  const suffix = name.slice(LOG.length + 1).replace('_', '-');
  if (suffix === 'later' || suffix === 'earlier' || isMonth(suffix)) return suffix;
  throw new Error(`A part of the log is named after no month: ${name}.`);
}

/**
 * The size of a month's partition of the access log. `rowCount`: an estimate, of the server's last `analyze`;
 * `byteCount`: with indexes.
 */
type MonthSize = Pick<LogPart, 'month' | 'rowCount' | 'byteCount'>;

/**
 * The partitions of the access log, earliest first. `earlier` and `later` are those of ids below and above all months.
 */
export async function listMonths(connectionString: string): Promise<MonthSize[]> {
  return withDirectClient(connectionString, readLogParts);
}

/** A calendar month in UTC, as `2026-11`. */
export type Month = `${number}-${string}`;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): text is Month => MONTH.test(text);

/** The month of a time in milliseconds since 1970. */
export function monthAt(ms: number): Month {
  const date = new Date(ms);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The first millisecond of a month. */
export function startOf(month: Month): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** The month that is `count` months later, earlier for a negative count. */
export function monthAfter(month: Month, count = 1): Month {
  const start = new Date(startOf(month));
  return monthAt(start.setUTCMonth(start.getUTCMonth() + count));
}

/** Runs work on a new connection that it closes afterwards. `connectionString` names the role that owns the tables. */
export async function withDirectClient<T>(
  connectionString: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const Client = clientFor(connectionString);
  const client = new Client({ connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

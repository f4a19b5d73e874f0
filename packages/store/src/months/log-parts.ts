import type pg from 'pg';
import { isMonth, type Month } from './month.ts';

/** The access log, which alone is divided: a part for each month, by ids. */
export const LOG = 'access_log';

/** More than a month ever has: 38,000 lines a second. */
export const IDS_PER_MONTH = 100_000_000_000n;

/** The lowest id of a month's lines. The month of the first start also has those below. */
export function firstIdOf(month: Month): bigint {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return BigInt((year - 1970) * 12 + number - 1) * IDS_PER_MONTH;
}

/** The last id of the month that an id is of. */
export const lastIdBeside = (id: bigint): bigint => (id / IDS_PER_MONTH + 1n) * IDS_PER_MONTH - 1n;

/** A part of the log: of a month; or `later` or `earlier`, for ids above or below those of the months. */
export interface LogPart {
  readonly name: string;
  readonly month: Month | 'later' | 'earlier';
  /** The lowest id; null for none. */
  readonly from: bigint | null;
  /** The lowest id that is not in it; null for none. */
  readonly to: bigint | null;
  /** An interrupted drop left it on its way out. */
  readonly isLeaving: boolean;
  /** As the server last counted them. */
  readonly rowCount: number;
  /** With indexes. */
  readonly byteCount: number;
}

/** The name of a month's part. */
export const partOf = (month: Month): string => `${LOG}_${month.replace('-', '_')}`;

const bound = (word: 'FROM' | 'TO') => `substring(bounds from $re$${word} \\('(-?\\d+)'\\)$re$)`;

/** The parts of the log, earliest first. */
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

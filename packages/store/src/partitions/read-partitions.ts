import type pg from 'pg';
import { isMonth, type Month } from './month.ts';
import { AUDIT, MONTHLY_TABLES } from './monthly-tables.ts';

/** A part of a table: of a month; or `later` or `earlier`, of all times after or before the months. */
export interface Partition {
  readonly name: string;
  readonly table: string;
  readonly month: Month | 'later' | 'earlier';
  /** The lowest key; null for none. */
  readonly from: string | null;
  /** The lowest key that is not in it; null for none. */
  readonly to: string | null;
  /** An interrupted removal left it on its way out. */
  readonly isLeaving: boolean;
  /** As the server last counted them. */
  readonly rowCount: number;
  /** With indexes and large values. */
  readonly byteCount: number;
}

interface Row extends Omit<Partition, 'month'> {
  readonly suffix: string;
}

/** A bound as text. The server writes a time as the session's time zone has it. */
const boundText = (word: 'FROM' | 'TO') => {
  const text = `substring(bound from $re$${word} \\('([^']*)'\\)$re$)`;
  return `case when whole.relname = '${AUDIT}'
    then to_char(${text}::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS+00') else ${text} end`;
};

/** The partitions of all tables, by table, earliest first. */
export async function readPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Row>(
    `select part.relname as name, whole.relname as table, substr(part.relname, length(whole.relname) + 2) as suffix,
       ${boundText('FROM')} as from, ${boundText('TO')} as to,
       inhdetachpending as "isLeaving", greatest(part.reltuples, 0)::float8 as "rowCount",
       pg_total_relation_size(part.oid)::float8 as "byteCount"
     from unnest($1::text[]) with ordinality as named (name, place)
     join pg_class whole on whole.oid = to_regclass(named.name)
     join pg_inherits on inhparent = whole.oid
     join pg_class part on part.oid = inhrelid
     cross join lateral pg_get_expr(part.relpartbound, part.oid) as bound
     order by place, ${boundText('FROM')} collate "C" nulls first`,
    [MONTHLY_TABLES.map(({ name }) => name)],
  );
  return rows.map(({ suffix, ...part }) => ({ ...part, month: monthOf(suffix) }));
}

function monthOf(suffix: string): Partition['month'] {
  if (suffix === 'later' || suffix === 'earlier') return suffix;
  const month = suffix.replace('_', '-');
  if (!isMonth(month)) throw new Error(`A partition is named after no month: ${suffix}.`);
  return month;
}

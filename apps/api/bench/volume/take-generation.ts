import type pg from 'pg';
import { headOf } from './moved-ids.ts';

/** Requests with everything about them, as the store's operations made them: copies of its tables' rows. */
export interface Generation {
  readonly requestCount: number;
  readonly tables: readonly GenerationTable[];
  /** What changes in its ids when they are moved. */
  readonly heads: readonly string[];
}

/** A table of the schema `generation`, named as the store's. */
export interface GenerationTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly bytes: number;
}

export interface Column {
  readonly name: string;
  readonly kind: 'id' | 'time' | 'other';
}

/** Takes all requests and their facts out of the store's tables. */
export async function takeGeneration(client: pg.Client): Promise<Generation> {
  const found = await findTables(client);
  await client.query('create schema generation');
  for (const { name, columns } of found)
    await client.query(
      `create unlogged table generation.${name} as select ${columns.map((column) => column.name).join(', ')}
       from public.${name} ${columns.some((column) => column.name === 'request_id') ? 'where request_id is not null' : ''}`,
    );
  await client.query('analyze');
  const { rows: sizes } = await client.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relnamespace = 'generation'::regnamespace and relkind = 'r' and reltuples > 0`,
  );
  const bytesOf = new Map(sizes.map(({ name, bytes }) => [name, bytes]));
  const tables = found.flatMap((table) => {
    const bytes = bytesOf.get(table.name);
    return bytes === undefined ? [] : [{ ...table, bytes }];
  });
  // As a replica: the audit refuses to be emptied.
  await client.query(
    `begin; set local session_replication_role = replica;
     truncate ${found.map(({ name }) => name).join(', ')} cascade; commit`,
  );
  const { rows: heads } = await client.query<{ head: string }>(
    `select ${headOf('id')} as head from generation.request union select ${headOf('id')} from generation.delivery`,
  );
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from generation.request',
  );
  return { requestCount: rows[0]?.count ?? 0, tables, heads: heads.map(({ head }) => head) };
}

/**
 * Those about requests and the facts; without columns that number the rows, without parts, which are written through their
 * table, and without a receiver, which is of all its deliveries and is counted with the newest.
 */
async function findTables(client: pg.Client): Promise<Omit<GenerationTable, 'bytes'>[]> {
  const { rows } = await client.query<Omit<GenerationTable, 'bytes'>>(
    `select relname as name, json_agg(json_build_object('name', attname, 'kind', case
         when attname in ('request_id', 'delivery_id') or attname = 'id' and relname in ('request', 'delivery') then 'id'
         when atttypid = 'timestamptz'::regtype then 'time'
         else 'other' end) order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'receiver'
       and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
       and coalesce(pg_get_expr(adbin, adrelid), '') not like 'nextval(%'
     group by relname
     having relname in ('request', 'hourly_fact') or bool_or(attname in ('request_id', 'delivery_id'))
     order by relname`,
  );
  return rows;
}

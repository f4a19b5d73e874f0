import type pg from 'pg';

/** Each gives lines of text; what Kysely keeps for itself is left out. */
const queries = [
  `select 'domain ' || typname || ' ' || format_type(typbasetype, typtypmod) || coalesce(' collate ' || collname, '')
     from pg_type left join pg_collation on pg_collation.oid = typcollation
    where typtype = 'd' and typnamespace = 'public'::regnamespace`,
  `select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || case when a.attnotnull then ' not null' else '' end
       || case when a.attidentity <> '' then ' identity ' || a.attidentity::text else '' end
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`,
  // PostgreSQL 18 keeps "not null" here too; the columns tell it for every version.
  `select 'constraint ' || c.relname || '.' || k.conname || ' ' || pg_get_constraintdef(k.oid)
     from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = 'public'::regnamespace and k.contype <> 'n' and c.relname not like 'kysely%'`,
  `select 'index ' || indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%'`,
  `select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal`,
  `select 'function ' || pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace`,
];

/** Everything a migration made, as sorted lines, the same on every supported server version. */
export async function dumpSchema(client: pg.Client): Promise<string> {
  const lines: string[] = [];
  for (const query of queries) {
    const { rows } = await client.query<[string]>({ text: query, rowMode: 'array' });
    lines.push(...rows.map(([line]) => line));
  }
  return `${lines.toSorted().join('\n')}\n`;
}

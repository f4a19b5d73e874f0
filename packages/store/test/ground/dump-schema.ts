import type pg from 'pg';

/** For each object: its parent, its position there, and its text. Kysely's own tables are left out. */
const QUERY = `
  with own_table as (
    select oid, relname, relkind, relpersistence, coalesce(reloptions, (
        select reloptions from pg_inherits join pg_class partition on partition.oid = inhrelid
        where inhparent = pg_class.oid limit 1
      )) as reloptions
    from pg_class
    where relnamespace = 'public'::regnamespace and relname not like 'kysely%' and relkind in ('r', 'p')
      and not relispartition
  ), object (kind, owner, place, name, text) as (
    select 1, '', 0, typname, 'domain ' || typname || ' as ' || format_type(typbasetype, typtypmod)
        || coalesce(' collate ' || quote_ident(collname), '') || coalesce(' ' || pg_get_constraintdef(k.oid), '')
      from pg_type left join pg_collation on pg_collation.oid = typcollation
      left join pg_constraint k on k.contypid = pg_type.oid
      where typtype = 'd' and typnamespace = 'public'::regnamespace
    union all
    select 2, '', 0, sequencename, concat_ws(' ', 'sequence', sequencename, data_type, 'minvalue', min_value,
        'maxvalue', max_value, case when cycle then 'cycle' end)
      from pg_sequences
      where schemaname = 'public' and not exists (
        select from pg_depend where objid = quote_ident(sequencename)::regclass and deptype = 'i'
      )
    union all
    select 3, relname, 0, '', concat_ws(' ', case relpersistence when 'u' then 'unlogged' end, 'table', relname,
        'partition by ' || pg_get_partkeydef(oid),
        'with (' || array_to_string(reloptions, ', ') || ')')
      from own_table
    union all
    select 3, t.relname, 1, lpad(a.attnum::text, 4, '0'), concat_ws(' ', '  column', a.attname,
        format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
        case when a.attidentity = 'a' then 'generated always as identity' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid))
      from own_table t
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all -- PostgreSQL 18 keeps "not null" here too; the columns show it for every version
    select 3, t.relname, 2, k.conname, '  constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
      from pg_constraint k join own_table t on t.oid = k.conrelid where k.contype <> 'n'
    union all
    select 3, tablename, 3, indexname, '  index ' || indexdef
      from pg_indexes join own_table on relname = tablename where schemaname = 'public'
    union all
    select 3, t.relname, 4, g.tgname, '  trigger ' || pg_get_triggerdef(g.oid)
      from pg_trigger g join own_table t on t.oid = g.tgrelid where not g.tgisinternal
    union all
    select 4, proname, 0, '', 'function ' || pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace
  )
  select case place when 0 then E'\\n' else '' end || text as text from object
  order by kind, owner collate "C", place, name collate "C"`;

/** Everything the migrations created, table by table, identical on every supported server version. */
export async function dumpSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(QUERY);
  return `${rows
    .map(({ text }) => text)
    .join('\n')
    .trim()}\n`;
}

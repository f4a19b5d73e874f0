import type { OnlineStep } from './online-migration.ts';
import { AT_ONCE } from './partitioned-index.ts';

/** A table in use that becomes one table per month. */
interface Growing {
  readonly table: string;
  readonly key: string;
  /** Of the ids in the key; null for a time. */
  readonly prefix: string | null;
}

/**
 * Locks everyone out. First against vacuum alone: it gives way to whoever waits for longer than the time-out.
 */
export const locking = (table: string) => `lock table ${table} in share update exclusive mode;
    ${AT_ONCE};
    lock table ${table} in access exclusive mode`;

const isPartitioned = (table: string) =>
  `(select relkind = 'p' from pg_class where oid = '${table}'::regclass)`;

export const block =
  (body: string): OnlineStep =>
  async ({ client }) =>
    void (await client.query(`do $block$\n${body}\n$block$`));

export function dropConstraint(table: string, name: string): OnlineStep {
  return block(`begin
    if exists (select from pg_constraint where conrelid = '${table}'::regclass and conname = '${name}') then
      ${AT_ONCE};
      alter table ${table} drop constraint ${name};
    end if;
  end`);
}

/**
 * The rows of today are the first partition's, with those of the rest of this month; from a week before its end on, of
 * the next one. A table that has a key of a later time, from a clock that was wrong, keeps everything up to it. Ids tell
 * the highest by their index, under the lock; times by reading the table, before it.
 */
function addBound({ table, key, prefix }: Growing): OnlineStep {
  const ofTime = `(select greatest(month, max(${key}) + interval '1 second')::text from ${table})`;
  const ofId = `(select greatest(lowest.id, (select max(${key}) || '0' from ${table})) from (
      select '${prefix}_' || string_agg(
        substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((ms >> (5 * digit)) & 31)::int, 1), '' order by digit desc)
        || repeat('0', 16) collate "C" as id
      from (select (extract(epoch from month) * 1000)::bigint as ms) as start, generate_series(0, 9) as digit
    ) as lowest)`;
  return block(`declare
    month timestamptz := (date_trunc('month', (now() + interval '7 days') at time zone 'UTC') + interval '1 month')
      at time zone 'UTC';
    bound text;
  begin
    if ${isPartitioned(table)} or exists (
      select from pg_constraint where conrelid = '${table}'::regclass and conname like '${table}\\_before\\_%'
    ) then return; end if;
    ${prefix === null ? `bound := ${ofTime};` : ''}
    ${locking(table)};
    ${prefix === null ? '' : `bound := ${ofId};`}
    execute format('alter table ${table} add constraint %I check (${key} < %L) not valid',
      '${table}_before_' || to_char(month at time zone 'UTC', 'YYYY_MM'), bound);
  end`);
}

function validateBound({ table }: Growing): OnlineStep {
  return block(`declare name text;
  begin
    select conname into name from pg_constraint
    where conrelid = '${table}'::regclass and conname like '${table}\\_before\\_%' and not convalidated;
    if name is not null then execute format('alter table ${table} validate constraint %I', name); end if;
  end`);
}

/** Carries whatever columns, checks, keys, indexes, triggers and rights the table has. */
function partition({ table, key }: Growing): OnlineStep {
  const isAppendOnly = table === 'access_log';
  return block(`declare
    checked text;
    bound text;
    first text;
    options text;
    keys text[];
    indexes text[];
    triggers text[];
    grants text[];
    one record;
    statement text;
  begin
    if ${isPartitioned(table)} then return; end if;
    ${locking(table)};
    select conname, substring(pg_get_constraintdef(oid) from '''([^'']+)''') into strict checked, bound
    from pg_constraint where conrelid = '${table}'::regclass and conname like '${table}\\_before\\_%';
    first := '${table}_' || to_char(to_date(right(checked, 7), 'YYYY_MM') - 1, 'YYYY_MM');

    for one in select conname from pg_constraint
      where conrelid = '${table}'::regclass and contype in ('p', 'u') and (
          select attnum from pg_attribute where attrelid = conrelid and attname = '${key}') <> all (conkey)
    loop
      execute format('alter table ${table} drop constraint %I', one.conname);
    end loop;
    keys := array(select format('alter table ${table} add constraint %I %s', conname, pg_get_constraintdef(oid))
      from pg_constraint where conrelid = '${table}'::regclass and contype in ('p', 'u') order by conname);
    indexes := array(select pg_get_indexdef(indexrelid) from pg_index
      where indrelid = '${table}'::regclass and not exists (select from pg_constraint where conindid = indexrelid));
    triggers := array(select pg_get_triggerdef(oid) from pg_trigger
      where tgrelid = '${table}'::regclass and not tgisinternal order by tgname);
    grants := array(select format('grant %s on ${table} to %s%s', privilege_type,
        case when grantee = 0 then 'public' else grantee::regrole::text end,
        case when is_grantable then ' with grant option' end)
      from pg_class, aclexplode(relacl) where oid = '${table}'::regclass and grantee <> relowner);
    select 'with (' || array_to_string(reloptions, ', ') || ')' into options
    from pg_class where oid = '${table}'::regclass;

    for one in select relname from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = '${table}'::regclass
    loop
      execute format('alter index %I rename to %I', one.relname,
        first || '_' || regexp_replace(one.relname, '^${table}_', ''));
    end loop;
    for one in select tgname from pg_trigger where tgrelid = '${table}'::regclass and not tgisinternal loop
      execute format('drop trigger %I on ${table}', one.tgname);
    end loop;
    execute format('alter table ${table} rename to %I', first);
    execute format('create table ${table} (like %I including defaults including constraints including storage
      including generated) partition by range (${key})', first);
    execute format('alter table ${table} drop constraint %I', checked);
    foreach statement in array grants || keys || indexes loop execute statement; end loop;
    execute format('alter table ${table} attach partition %I for values from (minvalue) to (%L)', first, bound);
    execute format('alter table %I drop constraint %I', first, checked);
    execute format('create table ${table}_later partition of ${table} for values from (%L) to (maxvalue) %s', bound,
      options);
    foreach statement in array triggers loop
      execute statement;${
        isAppendOnly
          ? `
      execute replace(statement, ' ON public.${table} ', format(' ON public.%I ', first));
      execute replace(statement, ' ON public.${table} ', ' ON public.${table}_later ');`
          : ''
      }
    end loop;
  end`);
}

/** Divides a table in use: what it holds becomes the first month's, as it is. */
export const divideByMonth = (table: Growing): OnlineStep[] => [
  addBound(table),
  validateBound(table),
  partition(table),
];

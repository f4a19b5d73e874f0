import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/**
 * What is not as the schema makes it, so that the table may show other rows than it has, or may be changed.
 * `not_plain`: it is not there, a view, a foreign table, unlogged, or one with children. `row_security`, `policies`,
 * `rules`: it may leave rows out, or answer something else. `trigger_off`: what refuses changes is gone, off, or another.
 * `other_trigger`: it has one that is not the schema's.
 */
type TableFault = 'not_plain' | 'row_security' | 'policies' | 'rules' | 'trigger_off' | 'other_trigger';

/** A table of the audit that is not as the schema makes it. */
export interface BadTable {
  readonly table: string;
  readonly fault: TableFault;
}

/** Before an update, a delete or a truncation, for each statement: the bits of `pg_trigger.tgtype`. */
const REFUSES_CHANGES = 2 + 8 + 16 + 32;

/** The body of `refuse_change`, without spaces. */
const REFUSAL = `beginraiseexception'%isappend-only',tg_argv[0];end`;

interface TableRow {
  table: string;
  is_plain: boolean;
  has_row_security: boolean;
  has_policies: boolean;
  has_rules: boolean;
  is_refusing: boolean;
  has_other_trigger: boolean;
}

/**
 * Reads the catalogue before the tables are believed: whoever owns them can put a view in the place of one, or have it
 * leave rows out. Names are those of the catalogue, whatever the search path says.
 */
export async function checkCatalogue(db: Kysely<Tables>): Promise<BadTable[]> {
  const { rows } = await sql<TableRow>`
    with audit as (
      select to_regclass(name)::oid as oid, name from unnest(array['access_log', 'audit_seal', 'audit_drop']) as name
      union all
      select inhrelid, inhrelid::regclass::text from pg_catalog.pg_inherits where inhparent = to_regclass('access_log')
    )
    select audit.name as table,
      coalesce(class.relkind = case audit.name when 'access_log' then 'p' else 'r' end
        and class.relpersistence = 'p'
        and (audit.name = 'access_log'
          or not exists (select from pg_catalog.pg_inherits where inhparent = audit.oid)), false) as is_plain,
      coalesce(class.relrowsecurity or class.relforcerowsecurity, false) as has_row_security,
      exists (select from pg_catalog.pg_policy where polrelid = audit.oid) as has_policies,
      exists (select from pg_catalog.pg_rewrite where ev_class = audit.oid) as has_rules,
      exists (
        select from pg_catalog.pg_trigger as trigger join pg_catalog.pg_proc as proc on proc.oid = trigger.tgfoid
        where trigger.tgrelid = audit.oid and trigger.tgenabled in ('O', 'A') and trigger.tgqual is null
          and trigger.tgtype = ${REFUSES_CHANGES} and proc.proname = 'refuse_change'
          and regexp_replace(proc.prosrc, '\\s', '', 'g') = ${REFUSAL}
      ) as is_refusing,
      exists (
        select from pg_catalog.pg_trigger as trigger join pg_catalog.pg_proc as proc on proc.oid = trigger.tgfoid
        where trigger.tgrelid = audit.oid and not trigger.tgisinternal and proc.proname <> 'refuse_change'
      ) as has_other_trigger
    from audit left join pg_catalog.pg_class as class on class.oid = audit.oid
    order by audit.name`.execute(db);
  return rows.flatMap(faultsOf);
}

function faultsOf(row: TableRow): BadTable[] {
  const { table } = row;
  if (!row.is_plain) return [{ table, fault: 'not_plain' }];
  const faults: [boolean, TableFault][] = [
    [row.has_row_security, 'row_security'],
    [row.has_policies, 'policies'],
    [row.has_rules, 'rules'],
    [!row.is_refusing, 'trigger_off'],
    [row.has_other_trigger, 'other_trigger'],
  ];
  return faults.filter(([isSo]) => isSo).map(([, fault]) => ({ table, fault }));
}

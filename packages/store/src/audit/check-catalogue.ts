import { type Kysely, sql } from 'kysely';
import { LOG } from '../months/log-parts.ts';
import { COVERED_TABLES } from '../row-macs/covered-columns.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * What is not as the schema makes it, so that the table may show other rows than it has, or may be changed.
 * `not_plain`: it is not there, a view, a foreign table, unlogged, or one that inherits or is inherited from.
 * `row_security`, `policies`, `rules`: it may leave rows out, or answer something else. `trigger_off`: what refuses
 * changes is gone, off, or another. `other_trigger`: it has one that is not the schema's.
 */
export const TABLE_FAULTS = [
  'not_plain',
  'row_security',
  'policies',
  'rules',
  'trigger_off',
  'other_trigger',
] as const;
type TableFault = (typeof TABLE_FAULTS)[number];

/** A table that is not as the schema makes it: of the audit, or one whose rows give power. */
export interface BadTable {
  readonly table: string;
  readonly fault: TableFault;
}

/** The tables whose rows are only added. Parts of the log are as the log. */
const APPEND_ONLY = [LOG, 'audit_seal', 'audit_drop'];

/** Before an update, a delete or a truncation, for each statement: the bits of `pg_trigger.tgtype`. */
const REFUSES_CHANGES = 2 + 8 + 16 + 32;

/** The body of `refuse_change`, without spaces. */
const REFUSAL = `beginraiseexception'%isappend-only',tg_argv[0];end`;

/** What a foreign key is checked by. The schema has none that change rows, such as those of `on update cascade`. */
const REFERENCE_CHECKS = /^RI_FKey_(?:check_ins|check_upd|noaction_del|noaction_upd)$/;

interface Trigger {
  readonly enabled: string;
  readonly type: number;
  /** Of this function of the schema that has the log. */
  readonly is_refusal: boolean;
  readonly body: string;
  readonly has_settings: boolean;
  readonly has_condition: boolean;
  /** Numbers of columns; empty for any. */
  readonly columns: string;
  readonly arguments: string;
  /** Of PostgreSQL itself, which only it makes. */
  readonly is_internal: boolean;
  readonly function_name: string;
}

interface TableRow {
  readonly table: string;
  /** Null where it is a table by its name. */
  readonly part_of: string | null;
  readonly kind: string | null;
  readonly persistence: string | null;
  readonly is_related: boolean;
  readonly has_row_security: boolean;
  readonly has_policies: boolean;
  readonly has_rules: boolean;
  readonly triggers: readonly Trigger[];
}

/**
 * Reads the catalogue: before the tables are believed, and when lines are sealed. The owner of the tables can put a view
 * in the place of one, have it leave rows out, or put a trigger on it that keeps a line from being written. Of triggers
 * it compares what they are, never what they are called.
 */
export async function checkCatalogue(db: Kysely<Tables>): Promise<BadTable[]> {
  const { rows } = await sql<TableRow>`
    with log as (
      select oid, relnamespace from pg_catalog.pg_class where oid = pg_catalog.to_regclass(${LOG})
    ), covered as (
      select pg_catalog.to_regclass(name)::oid as oid, name, null as part_of
      from pg_catalog.unnest(${[...APPEND_ONLY, ...COVERED_TABLES]}::text[]) as name
      union all
      select inhrelid, inhrelid::regclass::text, ${LOG} from pg_catalog.pg_inherits, log where inhparent = log.oid
    )
    select covered.name as table, covered.part_of, class.relkind as kind, class.relpersistence as persistence,
      exists (
        select from pg_catalog.pg_inherits
        where inhparent = covered.oid and covered.name <> ${LOG}
          or inhrelid = covered.oid and (covered.part_of is null or inhparent <> log.oid)
      ) as is_related,
      coalesce(class.relrowsecurity or class.relforcerowsecurity, false) as has_row_security,
      exists (select from pg_catalog.pg_policy where polrelid = covered.oid) as has_policies,
      exists (select from pg_catalog.pg_rewrite where ev_class = covered.oid) as has_rules,
      coalesce((
        select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
          'enabled', trigger.tgenabled, 'type', trigger.tgtype,
          'is_refusal', proc.proname = 'refuse_change' and proc.pronamespace = log.relnamespace,
          'body', proc.prosrc, 'has_settings', proc.proconfig is not null or proc.prosecdef,
          'has_condition', trigger.tgqual is not null, 'columns', trigger.tgattr::text,
          'arguments', pg_catalog.encode(trigger.tgargs, 'escape'), 'is_internal', trigger.tgisinternal
            and proc.pronamespace = 'pg_catalog'::regnamespace, 'function_name', proc.proname))
        from pg_catalog.pg_trigger as trigger join pg_catalog.pg_proc as proc on proc.oid = trigger.tgfoid
        where trigger.tgrelid = covered.oid
      ), '[]') as triggers
    from covered left join log on true left join pg_catalog.pg_class as class on class.oid = covered.oid
    order by covered.name`.execute(db);
  return rows.flatMap(faultsOf);
}

function faultsOf(row: TableRow): BadTable[] {
  const { table } = row;
  const name = row.part_of ?? table;
  const isPlain = row.kind === (table === LOG ? 'p' : 'r') && row.persistence === 'p' && !row.is_related;
  if (!isPlain) return [{ table, fault: 'not_plain' }];
  const isAppendOnly = APPEND_ONLY.includes(name);
  const isOfSchema = (trigger: Trigger) =>
    isAppendOnly ? trigger.is_refusal : trigger.is_internal && REFERENCE_CHECKS.test(trigger.function_name);
  const faults: [boolean, TableFault][] = [
    [row.has_row_security, 'row_security'],
    [row.has_policies, 'policies'],
    [row.has_rules, 'rules'],
    [isAppendOnly && !row.triggers.some((trigger) => isRefusing(trigger, name)), 'trigger_off'],
    [!row.triggers.every(isOfSchema), 'other_trigger'],
  ];
  return faults.filter(([isSo]) => isSo).map(([, fault]) => ({ table, fault }));
}

/** Whether it refuses every change of its table, as the schema has it. */
function isRefusing(trigger: Trigger, table: string): boolean {
  return (
    trigger.is_refusal &&
    trigger.body.replaceAll(/\s/g, '') === REFUSAL &&
    !trigger.has_settings &&
    (trigger.enabled === 'O' || trigger.enabled === 'A') &&
    trigger.type === REFUSES_CHANGES &&
    !trigger.has_condition &&
    trigger.columns === '' &&
    trigger.arguments === String.raw`${table}\000`
  );
}

/** The most faults that one seal names: with a thousand tables its note would be too long to be read. */
const WORD_COUNT_MAX = 10;

/** Faults as a seal states them, such as `staff:rules`, and `+3` for three more. */
export function wordsOf(faults: readonly BadTable[]): string[] {
  const words = faults.map(({ table, fault }) => `${/^\w{1,63}$/.test(table) ? table : LOG}:${fault}`);
  const more = words.length - WORD_COUNT_MAX;
  return more > 0 ? [...words.slice(0, WORD_COUNT_MAX), `+${more}`] : words;
}

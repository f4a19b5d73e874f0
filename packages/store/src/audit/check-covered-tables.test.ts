import { afterEach, expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { COVERED_TABLES } from '../row-macs/covered-columns.ts';
import { checkCatalogue } from './check-catalogue.ts';

const { store, sql } = await openTestStores();

const undo: string[] = [];
afterEach(async () => {
  for (const statement of undo.splice(0)) await sql(statement);
});

const MEDDLE = `create function meddle() returns trigger language plpgsql as $$ begin return new; end $$`;

/** What may be put on a table whose rows give power, and how it is taken away. */
const MEDDLING: Readonly<
  Record<string, (table: string) => readonly [fault: string, make: string, back: string]>
> = {
  'before insert': (table) => [
    'other_trigger',
    `${MEDDLE}; create trigger meddle before insert on ${table} for each row execute function meddle()`,
    'drop function meddle cascade',
  ],
  'before update of its MAC, where a condition holds': (table) => [
    'other_trigger',
    `${MEDDLE}; create trigger meddle before update of mac on ${table} for each row when (new.mac <> '')
       execute function meddle()`,
    'drop function meddle cascade',
  ],
  'after insert, deferred': (table) => [
    'other_trigger',
    `${MEDDLE}; create constraint trigger meddle after insert on ${table} deferrable initially deferred
       for each row execute function meddle()`,
    'drop function meddle cascade',
  ],
  'a trigger with the function of the audit': (table) => [
    'other_trigger',
    `create trigger meddle before insert on ${table} for each row execute function refuse_change('${table}')`,
    `drop trigger meddle on ${table}`,
  ],
  'a trigger with another schema’s function of a known name': (table) => [
    'other_trigger',
    `create schema other; create function other."RI_FKey_check_ins"() returns trigger language plpgsql
       as $$ begin return new; end $$;
     create trigger meddle before insert on ${table} for each row execute function other."RI_FKey_check_ins"()`,
    'drop schema other cascade',
  ],
  'an instead rule': (table) => [
    'rules',
    `create rule meddle as on insert to ${table} do instead nothing`,
    `drop rule meddle on ${table}`,
  ],
  'a policy': (table) => [
    'policies',
    `create policy meddle on ${table} using (false)`,
    `drop policy meddle on ${table}`,
  ],
  'row security': (table) => [
    'row_security',
    `alter table ${table} force row level security`,
    `alter table ${table} no force row level security`,
  ],
  inheritance: (table) => ['not_plain', `create table child () inherits (${table})`, 'drop table child'],
};

// Broke: the check looked at the tables of the audit, and at triggers by their functions' bare names.
test.each(Object.keys(MEDDLING).flatMap((kind) => COVERED_TABLES.map((table) => [kind, table] as const)))(
  '%s on %s is found',
  async (kind, table) => {
    const [fault, make, back] = MEDDLING[kind]?.(table) ?? ['', '', ''];
    undo.push(back);
    await sql(make);
    expect(await checkCatalogue(store.db)).toEqual([{ table, fault }]);
  },
);

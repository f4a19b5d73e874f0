import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { sealAll, sealKey, summary } from '../../../test/ground/audit-seals.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { checkCatalogue, makeMonths, verifySeals, withAudit } from '../../index.ts';

const { store, sql, connectionString } = await openTestStores();
await makeMonths(connectionString);
const check = () => withAudit(connectionString, ({ db }) => checkCatalogue(db));

const undo: string[] = [];
afterEach(async () => {
  for (const statement of undo.splice(0)) await sql(statement);
});

test('the tables that the schema makes, and each month’s, are as they should be', async () => {
  expect(await check()).toEqual([]);
});

// Breaks if whoever owns the tables could have verification read something else than what is there, or could change lines
// without leaving more behind than a trigger that is off.
test.each([
  [
    'a trigger that is off',
    'alter table audit_seal disable trigger user',
    'alter table audit_seal enable trigger user',
    { table: 'audit_seal', fault: 'trigger_off' },
  ],
  [
    'a trigger of one part that is gone',
    'drop trigger access_log_append_only on access_log_later',
    `create trigger access_log_append_only before update or delete or truncate on access_log_later
       for each statement execute function refuse_change('access_log')`,
    { table: 'access_log_later', fault: 'trigger_off' },
  ],
  [
    'a trigger of another kind',
    `create or replace trigger audit_drop_append_only before update on audit_drop
       for each statement execute function refuse_change('audit_drop')`,
    `create or replace trigger audit_drop_append_only before update or delete or truncate on audit_drop
       for each statement execute function refuse_change('audit_drop')`,
    { table: 'audit_drop', fault: 'trigger_off' },
  ],
  [
    'row security',
    'alter table access_log_later enable row level security',
    'alter table access_log_later disable row level security',
    { table: 'access_log_later', fault: 'row_security' },
  ],
  [
    'a policy',
    'create policy hidden on access_log using (false)',
    'drop policy hidden on access_log',
    { table: 'access_log', fault: 'policies' },
  ],
  [
    'a rule',
    'create rule away as on insert to audit_seal do instead nothing',
    'drop rule away on audit_seal',
    { table: 'audit_seal', fault: 'rules' },
  ],
  [
    'a table that inherits, whose rows are read with it',
    'create table more () inherits (audit_seal)',
    'drop table more',
    { table: 'audit_seal', fault: 'not_plain' },
  ],
  [
    'a view in the place of a table',
    'alter table audit_drop rename to audit_drop_was; create view audit_drop as select * from audit_drop_was',
    'drop view audit_drop; alter table audit_drop_was rename to audit_drop',
    { table: 'audit_drop', fault: 'not_plain' },
  ],
  [
    'a trigger that is not the schema’s',
    `create function change() returns trigger language plpgsql as $$ begin new.key_id = 'x'; return new; end $$;
     create trigger change before insert on audit_drop for each row execute function change()`,
    'drop function change cascade',
    { table: 'audit_drop', fault: 'other_trigger' },
  ],
])('%s is found', async (_, statement, back, fault) => {
  undo.push(back);
  await sql(statement);
  expect(await check()).toEqual([fault]);
});

test('a function that refuses nothing any more is found in every table', async () => {
  undo.push(`create or replace function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% is append-only', tg_argv[0]; end $$`);
  await sql(`create or replace function refuse_change() returns trigger language plpgsql as
    $$ begin return null; end $$`);
  expect(await check()).toContainEqual({ table: 'access_log', fault: 'trigger_off' });
});

// Breaks if the search path of a role decided which function gives out the lines.
test('a function of the database’s own is not taken for the server’s', async () => {
  await sql(`insert into access_log (operation) values ('requests.get')`);
  await sealAll(store);
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ who: string; database: string }>(
    'select quote_ident(current_user) as who, quote_ident(current_database()) as database',
  );
  const { who, database } = rows[0] ?? { who: '', database: '' };
  try {
    await client.query(`
      create schema evil;
      create function evil.encode(bytea, text) returns text language sql as $$ select 'AAAA' $$;
      alter role ${who} in database ${database} set search_path = evil, pg_catalog, public`);
    const verdict = await withAudit(connectionString, (audit) =>
      verifySeals(audit, { keys: [sealKey.verifier], after: 0 }),
    );
    expect(summary(verdict)).toEqual([1, 1]);
  } finally {
    await client.query(
      `alter role ${who} in database ${database} reset search_path; drop schema evil cascade`,
    );
    await client.end();
  }
});

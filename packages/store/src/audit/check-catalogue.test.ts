import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { encryptAll, sealKey, summary } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { checkCatalogue, makeMonths, sealLines, verifySeals, withAudit } from '../index.ts';
import { wordsOf } from './check-catalogue.ts';

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
    'a table that inherits from another, whose changes reach it',
    'create table above (number bigint not null); alter table audit_seal inherit above',
    'alter table audit_seal no inherit above; drop table above',
    { table: 'audit_seal', fault: 'not_plain' },
  ],
  [
    'a trigger of one column',
    `create or replace trigger audit_seal_append_only before update of number or delete or truncate on audit_seal
       for each statement execute function refuse_change('audit_seal')`,
    `create or replace trigger audit_seal_append_only before update or delete or truncate on audit_seal
       for each statement execute function refuse_change('audit_seal')`,
    { table: 'audit_seal', fault: 'trigger_off' },
  ],
  [
    'a trigger with a condition',
    `create or replace trigger audit_seal_append_only before update or delete or truncate on audit_seal
       for each statement when (current_setting('x.y', true) is null) execute function refuse_change('audit_seal')`,
    `create or replace trigger audit_seal_append_only before update or delete or truncate on audit_seal
       for each statement execute function refuse_change('audit_seal')`,
    { table: 'audit_seal', fault: 'trigger_off' },
  ],
  [
    'a trigger that names another table',
    `create or replace trigger audit_seal_append_only before update or delete or truncate on audit_seal
       for each statement execute function refuse_change('access_log')`,
    `create or replace trigger audit_seal_append_only before update or delete or truncate on audit_seal
       for each statement execute function refuse_change('audit_seal')`,
    { table: 'audit_seal', fault: 'trigger_off' },
  ],
  [
    'a function of the same name in another schema, which keeps lines from being written',
    `create schema evil;
     create function evil.refuse_change() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger access_log_append_only_2 before insert on access_log_later
       for each row execute function evil.refuse_change('access_log')`,
    'drop schema evil cascade',
    { table: 'access_log_later', fault: 'other_trigger' },
  ],
  [
    'a foreign key that changes rows with another table’s',
    `create table above (number bigint primary key); alter table audit_drop add constraint falls
       foreign key (seal_number) references above on delete cascade not valid`,
    'alter table audit_drop drop constraint falls; drop table above',
    { table: 'audit_drop', fault: 'other_trigger' },
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

// Broke: what stood for one seal and was dropped left no trace.
test('a seal states what was on the tables when it was made, and verification names it afterwards', async () => {
  const seal = async (...statements: readonly string[]) => {
    for (const statement of statements) await sql(statement);
    await sql(`insert into access_log (operation) values ('requests.get')`);
    const sealed = await sealLines(store, { key: sealKey });
    return sealed.kind === 'sealed' ? sealed.seal.tables : sealed;
  };
  await seal();
  const rules = { table: 'staff', fault: 'rules' };
  expect(await seal('create rule meddle as on insert to staff do also select 1')).toEqual([rules]);
  expect(await seal()).toEqual([rules]);
  expect(await seal('drop rule meddle on staff')).toEqual([]);
  const verdict = await withAudit(connectionString, (audit) =>
    verifySeals(audit, { keys: [sealKey.verifier], after: 0 }),
  );
  expect(verdict).toMatchObject({
    kind: 'verified',
    altered: [{ firstSeal: 2, lastSeal: 3, tables: ['staff:rules'] }],
  });
});

// Without it whoever makes a thousand tables would make the note too long for the end of the file to have one.
test('a seal names ten faults at most, and no name that somebody made up', () => {
  const faults = Array.from({ length: 13 }, (_, index) => ({ table: `t${index}`, fault: 'rules' as const }));
  expect(wordsOf(faults)).toEqual([...faults.slice(0, 10).map(({ table }) => `${table}:rules`), '+3']);
  expect(wordsOf([{ table: 'x\ntables as-made', fault: 'not_plain' }])).toEqual(['access_log:not_plain']);
});

// Breaks if the search path of a role decided which function gives out the lines.
test('a function of the database’s own is not taken for the server’s', async () => {
  await sql(`insert into access_log (operation) values ('requests.get')`);
  await encryptAll(store);
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
    expect(summary(verdict)).toEqual([5, 5]);
  } finally {
    await client.query(
      `alter role ${who} in database ${database} reset search_path; drop schema evil cascade`,
    );
    await client.end();
  }
});

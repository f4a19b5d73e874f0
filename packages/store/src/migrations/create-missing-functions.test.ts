import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { databaseFunction } from '../functions/database-function.ts';
import { createMissingFunctions } from './create-missing-functions.ts';

const answering = (value: number) =>
  databaseFunction(`
  create function answer() returns int language sql as $$ select ${value} $$`);

async function aDatabase() {
  const pool = new pg.Pool({ connectionString: await anEmptyDatabase(), max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  const rowsOf = async (text: string) => (await pool.query(text)).rows;
  return { db, rowsOf };
}

// Without it a deployment would change or drop the functions that processes of the previous version call.
test('a changed text is a function of its own, next to the one that older processes call', async () => {
  const { db, rowsOf } = await aDatabase();
  const [older, newer] = [answering(1), answering(2)];
  expect(older.name).toMatch(/^answer_[0-9a-f]{8}$/);
  expect(older.plainName).toBe('answer');
  expect(await createMissingFunctions(db, [older])).toEqual([older.name]);
  expect(await createMissingFunctions(db, [newer])).toEqual([newer.name]);
  expect(await rowsOf(`select ${older.name}() as older, ${newer.name}() as newer`)).toEqual([
    { older: 1, newer: 2 },
  ]);
});

// Without it whoever reads `pg_stat_statements` could not add up what one operation costs in all its versions.
test('its comment is the name that it has in every version', async () => {
  const { db, rowsOf } = await aDatabase();
  const versions = [answering(1), answering(2)];
  await createMissingFunctions(db, versions);
  const named = versions.map(({ name }) => `'${name}'::regproc`).join(', ');
  expect(
    await rowsOf(`select obj_description(oid, 'pg_proc') as comment from pg_proc where oid in (${named})`),
  ).toEqual([{ comment: 'answer' }, { comment: 'answer' }]);
});

// Without it a function would call what another version has under that name, or none.
test('it calls the version of another that it was given, and is a new one when that changes', async () => {
  const { db, rowsOf } = await aDatabase();
  const twice = (called: ReturnType<typeof answering>) =>
    databaseFunction(
      `create function twice_answer() returns int language sql as $$ select 2 * answer() + 0 * length('answer') $$`,
      called,
    );
  const [one, two] = [answering(1), answering(2)];
  expect(twice(one).name).not.toBe(twice(two).name);
  expect(twice(one).definition).not.toMatch(/\banswer\(/);
  await createMissingFunctions(db, [one, two, twice(one), twice(two)]);
  expect(await rowsOf(`select ${twice(one).name}() as of_one, ${twice(two).name}() as of_two`)).toEqual([
    { of_one: 2, of_two: 4 },
  ]);
});

// Without it a text that begins otherwise would be created under its plain name, once, and never changed.
test('a text that creates no function is refused', () => {
  expect(() => databaseFunction('create or replace function answer() returns int return 1')).toThrow(
    'begins with "create function"',
  );
});

// Without it each start would write the catalog, and every session would plan its functions again.
test('a function that is there is left as it is, and one that is missing is created in the order of the list', async () => {
  const { db, rowsOf } = await aDatabase();
  const functions = [3, 1, 2].map(answering);
  const names = functions.map(({ name }) => name);
  await createMissingFunctions(db, functions.slice(1, 2));
  const before = await rowsOf(`select oid, xmin from pg_proc where proname = '${names[1]}'`);
  expect(await createMissingFunctions(db, functions)).toEqual([names[0], names[2]]);
  expect(await rowsOf(`select oid, xmin from pg_proc where proname = '${names[1]}'`)).toEqual(before);
  expect(await createMissingFunctions(db, functions)).toEqual([]);
});

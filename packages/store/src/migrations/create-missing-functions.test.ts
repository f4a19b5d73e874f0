import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { databaseFunction } from '../functions/database-function.ts';
import { createMissingFunctions } from './create-missing-functions.ts';

const answering = (value: number) =>
  databaseFunction('answer', (name) => `create function ${name}() returns int return ${value}`);

async function aDatabase() {
  const pool = new pg.Pool({ connectionString: await anEmptyDatabase(), max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  const rowsOf = async (text: string) => (await pool.query(text)).rows;
  return { db, rowsOf };
}

// Without it a deployment would change or drop the functions that processes of the previous version call.
test('a changed text is a function of its own, beside the one that older processes call', async () => {
  const { db, rowsOf } = await aDatabase();
  const [older, newer] = [answering(1), answering(2)];
  expect(older.name).toMatch(/^answer_[0-9a-f]{8}$/);
  expect(await createMissingFunctions(db, [older])).toEqual([older.name]);
  expect(await createMissingFunctions(db, [newer])).toEqual([newer.name]);
  expect(await rowsOf(`select ${older.name}() as older, ${newer.name}() as newer`)).toEqual([
    { older: 1, newer: 2 },
  ]);
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

import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../src/index.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { anEmptyDatabase } from './ground/empty-database.ts';
import { migrateThrough } from './version-before/migrate-through.ts';
import { readRecording } from './version-before/recording.ts';
import { startReplay } from './version-before/replay.ts';
import { tellOfAll } from './version-before/tell.ts';
import { theAfternoon, theMorning } from './version-before/the-day.ts';

vi.setConfig({ testTimeout: 60_000 });

const before = readRecording();

/** A database as the version before made it. */
async function aDatabaseOfBefore(): Promise<string> {
  const connectionString = await anEmptyDatabase();
  await migrateThrough(connectionString, { names: before.migrations, functions: before.functions });
  return connectionString;
}

async function anOlderProcess(connectionString: string) {
  const replay = await startReplay(connectionString, before);
  onTestFinished(() => replay.close());
  return replay;
}

async function aNewerProcess(connectionString: string) {
  const store = await openStore({ connectionString, encryptionKey: before.encryptionKey });
  onTestFinished(() => store.close());
  return store;
}

// Without it the recording could be of a version that no upgrade begins with, or say too little.
test('the recording is of a version before this one, and calls each function of it', () => {
  expect(Object.keys(migrations).slice(0, before.migrations.length)).toEqual(before.migrations);
  const said = [...before.morning, ...before.afternoon];
  const uncalled = before.functions.filter(({ name }) => !said.some(({ text }) => text.includes(name)));
  expect(uncalled.map(({ name }) => name)).toEqual([]);
});

// Without it a migration could break the older processes, which run beside the newer ones while an upgrade rolls.
test('an older process works on after the migrations, and what it writes is read rightly', async () => {
  const connectionString = await aDatabaseOfBefore();
  const older = await anOlderProcess(connectionString);
  await older.say(before.morning);
  await migrate({ connectionString });
  await older.say(before.afternoon);
  expect(await tellOfAll(await aNewerProcess(connectionString))).toEqual(before.told);
});

// Without it a release could be taken back only with the loss of what it wrote.
test('what this version writes, an older process reads in the form that it knows', async () => {
  const connectionString = await aDatabaseOfBefore();
  await migrate({ connectionString });
  const newer = await aNewerProcess(connectionString);
  const midday = await theMorning(newer);
  await theAfternoon(newer, midday);
  const older = await anOlderProcess(connectionString);
  older.rename(before.read.requestId, midday.delivered.request_id);
  older.rename(before.read.accountId, midday.caller.accountId);
  expect(await older.say(before.reading)).toBe(before.reading.length);
});

/**
 * Sets that have grown since, each with the reason why older processes may meet the new value. `way`: one of them refuses
 * to list sessions (500) while somebody is signed in with a passkey, and lets everyone work.
 */
const GROWN = ['staff_session_way_check'];

// Without it a newer process could write a state that an older one does not know, and answers 500 to.
test('no set of values has grown that older processes read', async () => {
  const connectionString = await aDatabaseOfBefore();
  const setsOf = () =>
    withClient(connectionString, async (client) => {
      const { rows } = await client.query<{ name: string; text: string }>(`
        select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
        where contype = 'c' and pg_get_constraintdef(oid) like '%ARRAY[%' order by name`);
      return rows;
    });
  const older = await setsOf();
  await migrate({ connectionString });
  const newer = new Map((await setsOf()).map(({ name, text }) => [name, text]));
  expect(older.length).toBeGreaterThan(10);
  expect(older.filter(({ name, text }) => newer.get(name) !== text).map(({ name }) => name)).toEqual(GROWN);
});

const wrong: [string, string, readonly string[]][] = [
  ['renames a column', 'column "digest"', ['alter table result rename column digest to fingerprint']],
  [
    'adds a column that must be given',
    'null value in column "weight"',
    [
      'alter table delivery_attempt add column weight integer not null default 0',
      'alter table delivery_attempt alter column weight drop default',
    ],
  ],
  [
    'replaces a function that older processes call',
    `function ${nameOf('finish_attempts')}`,
    [`drop function ${nameOf('finish_attempts')}`],
  ],
];

function nameOf(start: string): string {
  return before.functions.find(({ name }) => name.startsWith(start))?.name ?? '';
}

// Proves that the tests above can fail.
test.each(wrong)('a migration that %s is found out', async (_, message, statements) => {
  const connectionString = await aDatabaseOfBefore();
  const older = await anOlderProcess(connectionString);
  await older.say(before.morning);
  await withClient(connectionString, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
  await expect(older.say(before.afternoon)).rejects.toThrow(message);
});

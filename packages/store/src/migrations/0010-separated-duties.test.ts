import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, test } from 'vitest';
import { anEmptyDatabase } from '../../test/empty-database.ts';
import { migrations } from '../migrations.ts';
import { separatedDuties } from './0010-separated-duties.ts';
import { withClient } from '../testing/create-test-database.ts';

const name = '0010-separated-duties';
const before = Object.fromEntries(Object.entries(migrations).filter(([other]) => other < name));

async function run(connectionString: string, provided: typeof migrations) {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
  });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...provided }) },
  }).migrateToLatest();
  await db.destroy();
  expect(error).toBeUndefined();
}

// Without it an update would take from keys in use what they do every day: read their secret, make keys.
test('keys made before keep what they could do', async () => {
  const connectionString = await anEmptyDatabase();
  await run(connectionString, before);
  const made = {
    key_a: '{requests}',
    key_b: '{verify}',
    key_c: '{operate}',
    key_d: '{requests,verify,operate}',
  };
  await withClient(connectionString, async (client) => {
    await client.query(
      `insert into account (id, name, kind, mode, webhook_secret) values ('acct_1', '"x"', 'platform', 'live', '')`,
    );
    for (const [id, scopes] of Object.entries(made))
      await client.query(
        `insert into api_key (id, account_id, hash, prefix, scopes) values ($1, 'acct_1', $2, '', $3)`,
        [id, Buffer.from(id), scopes],
      );
    await run(connectionString, { ...before, [name]: separatedDuties });
    const { rows } = await client.query('select id, scopes from api_key order by id');
    expect(rows).toEqual([
      { id: 'key_a', scopes: ['requests', 'secrets'] },
      { id: 'key_b', scopes: ['verify'] },
      { id: 'key_c', scopes: ['operate', 'admin', 'audit'] },
      { id: 'key_d', scopes: ['requests', 'verify', 'operate', 'secrets', 'admin', 'audit'] },
    ]);
  });
});

import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { anEmptyDatabase } from '../../test/empty-database.ts';
import { migrations } from '../migrations.ts';

// Without it strangers would find room, from the deployment on, beside all that the version before has held of them.
test('what was held before is counted, and so is what a process of the version before holds, settles and removes', async () => {
  const pool = new pg.Pool({ connectionString: await anEmptyDatabase(), max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const hold = (ids: readonly number[], receivedBy: string | null) =>
    pool.query(
      `insert into held_output (id, reason, digest, body, byte_count, received_by)
       select 'held_' || n, 'unmatched', int4send(n), '', 10 * n, $2 from unnest($1::int[]) as n`,
      [ids, receivedBy],
    );
  const settle = (ids: readonly number[], status: string) =>
    pool.query(
      `update held_output set status = $2, settled_at = now()
       where id = any (select 'held_' || n from unnest($1::int[]) as n)`,
      [ids, status],
    );
  await migrator.migrateTo('0008-earlier-webhook-secrets');
  await hold([1, 2, 3], null);
  await hold([4, 5], 'key_x');
  await settle([2], 'dismissed');
  await settle([3, 4], 'applied');
  expect((await migrator.migrateTo('0009-held-shares')).error).toBeUndefined();
  const counters = async () =>
    (
      await pool.query({
        text: `select row_count, byte_count, dismissed_row_count, dismissed_byte_count
          from held_count where reason = 'unmatched' order by is_keyed`,
        rowMode: 'array',
      })
    ).rows;
  expect(await counters()).toEqual([
    ['1', '10', '1', '20'],
    ['1', '50', '0', '0'],
  ]);
  await hold([6, 7], null);
  await settle([1, 6], 'dismissed');
  await settle([5], 'applied');
  await pool.query(`delete from held_output where id in ('held_2', 'held_3')`);
  expect(await counters()).toEqual([
    ['1', '70', '2', '70'],
    ['0', '0', '0', '0'],
  ]);
});

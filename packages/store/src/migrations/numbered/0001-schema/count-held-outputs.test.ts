import { expect, test } from 'vitest';
import { createTestDatabase, withClient } from '../../../testing/create-test-database.ts';

// Without it outputs held by other means, such as an older process, would not count against the share of anonymous
// senders.
test('plain statements that hold, settle, remove and truncate are counted', async () => {
  const { connectionString } = await createTestDatabase();
  await withClient(connectionString, async (client) => {
    const hold = (ids: readonly number[], receivedBy: string | null) =>
      client.query(
        `insert into held_output (id, reason, digest, body, byte_count, received_by)
         select 'held_' || n, 'unmatched', int4send(n), '', 10 * n, $2 from unnest($1::int[]) as n`,
        [ids, receivedBy],
      );
    const settle = (ids: readonly number[], status: string) =>
      client.query(
        `update held_output set status = $2, settled_at = now()
         where id = any (select 'held_' || n from unnest($1::int[]) as n)`,
        [ids, status],
      );
    const counters = async () =>
      (
        await client.query({
          text: `select row_count, byte_count, dismissed_row_count, dismissed_byte_count
            from held_count where reason = 'unmatched' order by is_keyed`,
          rowMode: 'array',
        })
      ).rows;
    await hold([1, 2, 3], null);
    await hold([4, 5], 'key_x');
    await settle([2], 'dismissed');
    await settle([3, 4], 'applied');
    expect(await counters()).toEqual([
      ['1', '10', '1', '20'],
      ['1', '50', '0', '0'],
    ]);
    await hold([6, 7], null);
    await settle([1, 6], 'dismissed');
    await settle([5], 'applied');
    await client.query(`delete from held_output where id in ('held_2', 'held_3')`);
    expect(await counters()).toEqual([
      ['1', '70', '2', '70'],
      ['0', '0', '0', '0'],
    ]);
    await client.query('truncate held_output');
    expect(await counters()).toEqual([
      ['0', '0', '0', '0'],
      ['0', '0', '0', '0'],
    ]);
  });
});

import { Scope } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { createTestDatabase, withClient } from '../../../testing/create-test-database.ts';

// Without it a new scope could be declared that no key can get, or a key be stored without any scope.
test('a key may have every scope there is, no other, and not none', async () => {
  const { connectionString } = await createTestDatabase();
  await withClient(connectionString, async (client) => {
    await client.query(
      `insert into account (id, name, kind, mode, webhook_secret) values ('acct_1', '"x"', 'platform', 'live', '')`,
    );
    const insert = (id: string, scopes: readonly string[]) =>
      client.query(
        `insert into api_key (id, account_id, hash, prefix, scopes) values ($1, 'acct_1', $2, '', $3)`,
        [id, Buffer.from(id), scopes],
      );
    await insert('key_all', Scope.options);
    for (const scope of Scope.options) await insert(`key_${scope}`, [scope]);
    await expect(insert('key_other', ['requests', 'everything'])).rejects.toThrow('api_key_scopes_check');
    await expect(insert('key_none', [])).rejects.toThrow('api_key_scopes_check');
    const { rows } = await client.query(`select scopes from api_key where id = 'key_all'`);
    expect(rows).toEqual([{ scopes: Scope.options }]);
  });
});

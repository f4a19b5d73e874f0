import { expect, test } from 'vitest';
import type { sessionSettings } from '../src/connection/role-settings.ts';
import { createMasterKey, openStore } from '../src/index.ts';
import { createTestDatabase, withClient } from '../src/testing/create-test-database.ts';
import { aFinishedRequest, anAccount, claimFor, finish, intake } from './ground/stages.ts';
import { theDeliveries } from './ground/the-stored.ts';

/** What a database or a role may have for other programs. */
const FOREIGN = {
  DateStyle: 'German',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Pacific/Kiritimati',
  array_nulls: 'off',
  bytea_output: 'escape',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  client_encoding: 'LATIN1',
  client_min_messages: 'debug5',
  enable_indexscan: 'off',
  jit_above_cost: '0',
  quote_all_identifiers: 'on',
  row_security: 'off',
  synchronous_commit: 'off',
  transform_null_equals: 'on',
} satisfies Record<keyof typeof sessionSettings, string> & Record<string, string>;

// Broke: with a DateStyle other than ISO a request was stored and answered 500.
test.each(['database', 'role in database'] as const)(
  'a request is stored, verified and delivered whatever the %s sets',
  async (of) => {
    const { connectionString } = await createTestDatabase();
    await withClient(connectionString, async (client) => {
      const { rows } = await client.query<{ database: string; role: string }>(
        'select quote_ident(current_database()) as database, quote_ident(current_user) as role',
      );
      const [here] = rows;
      const target =
        of === 'database' ? `database ${here?.database}` : `role ${here?.role} in database ${here?.database}`;
      if (of === 'database')
        await client.query(`alter role ${here?.role} in database ${here?.database} reset all`);
      for (const [name, value] of Object.entries(FOREIGN))
        await client.query(`alter ${target} set ${name} = '${value}'`); // oxlint-disable-line no-await-in-loop -- one connection
    });
    const store = await openStore({ connectionString, encryptionKey: createMasterKey('k1') });
    try {
      const caller = await anAccount(store);
      const { received_timestamp: receivedAt } = await intake(store, caller);
      expect(Math.abs(Date.now() - Date.parse(receivedAt ?? ''))).toBeLessThan(60_000);
      const request = await aFinishedRequest(store, caller);
      await finish(store, await claimFor(store, request.request_id));
      expect(await theDeliveries(store, caller, request.request_id)).toMatchObject([{ status: 'delivered' }]);
    } finally {
      await store.close();
    }
  },
);

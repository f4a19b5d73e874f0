import { withClient } from '../../src/testing/create-test-database.ts';

/** A new session's time-outs: for statements, locks and idle transactions. */
export function timeoutsOf(connectionString: string): Promise<string[] | undefined> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ timeouts: string[] }>(
      `select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
        current_setting('idle_in_transaction_session_timeout')] as timeouts`,
    );
    return rows[0]?.timeouts;
  });
}

import { inject } from 'vitest';
import { withClient } from '../../src/testing/create-test-database.ts';

/**
 * Drops a test's database. Not `with (force)`: that also tries to end an autovacuum worker, which requires a superuser,
 * and fails; without it the server ends the worker itself.
 */
export async function dropDatabase(connectionString: string): Promise<void> {
  const name = new URL(connectionString).pathname.slice(1);
  await withClient(inject('testServer').adminConnectionString, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)}`),
  );
}

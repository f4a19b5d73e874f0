import { inject } from 'vitest';
import { withClient } from '../src/testing/create-test-database.ts';

/**
 * Drops a database that its test has left. Not `with (force)`: that wants to end an autovacuum worker too, which only
 * a superuser may, and fails; without it the server sends the worker away itself.
 */
export async function dropDatabase(connectionString: string): Promise<void> {
  const name = new URL(connectionString).pathname.slice(1);
  await withClient(inject('testServer').adminConnectionString, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)}`),
  );
}

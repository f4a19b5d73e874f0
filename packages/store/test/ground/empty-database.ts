import { inject, onTestFinished } from 'vitest';
import { withClient } from '../../src/testing/create-test-database.ts';
import { onDatabase } from '../../src/testing/test-server.ts';
import { dropDatabase } from './drop-database.ts';

let made = 0;

/**
 * A database without tables, dropped after the test. Leftovers of a killed run are dropped by the next one, by name.
 */
export async function anEmptyDatabase(): Promise<string> {
  const { adminConnectionString, templateName } = inject('testServer');
  made += 1;
  const name = `${templateName.replace(/_template$/, '')}_${process.pid}_empty_${made}`;
  await withClient(adminConnectionString, (client) => client.query(`create database ${name}`));
  const connectionString = onDatabase(adminConnectionString, name);
  onTestFinished(() => dropDatabase(connectionString));
  return connectionString;
}

import { expect, inject, test } from 'vitest';
import { createTemplate } from './create-template.ts';
import { withClient } from './create-test-database.ts';

const { adminConnectionString } = inject('testServer');

const databaseNames = () =>
  withClient(adminConnectionString, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    return rows.map((row) => row.datname);
  });

// Without it every crashed run would leave its databases on a server that outlives runs.
test('a new run drops the databases of dead runs and keeps those of living ones', async () => {
  const living = await createTemplate(adminConnectionString, `test_${process.pid}_living`);
  await withClient(adminConnectionString, async (client) => {
    await client.query('create database test_1_dead_template allow_connections false');
    await client.query('create database test_1_dead_77_1');
    await client.query('create database testament');
  });

  const next = await createTemplate(adminConnectionString, `test_${process.pid}_next`);
  const names = await databaseNames();
  expect(names).toContain(living.templateName);
  expect(names).toContain(next.templateName);
  expect(names).toContain(inject('testServer').templateName);
  expect(names).toContain('testament');
  expect(names.filter((name) => name.startsWith('test_1_dead'))).toEqual([]);

  await next.drop();
  await living.drop();
  await withClient(adminConnectionString, (client) => client.query('drop database testament'));
  expect((await databaseNames()).filter((name) => /_(living|next)_/.test(name))).toEqual([]);
});

import { createSealKey, readSealKey, sealLines, withAudit } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { iv } from '../iv.ts';

const key = readSealKey(createSealKey());

// Broke: what kept lines from being written until one seal was made, and was dropped then, was never known.
test('seals that were made while something else was on a table are named', async () => {
  const { connectionString: url } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const seal = async (...statements: readonly string[]) => {
    for (const statement of [...statements, `insert into access_log (operation) values ('requests.get')`])
      await client.query(statement);
    await withAudit(url, (store) => sealLines(store, { key: key }));
  };
  await seal();
  await seal('create rule meddle as on insert to staff do also select 1');
  await seal('drop rule meddle on staff');
  const verify = (...more: string[]) =>
    iv(['audit', 'verify', '--key', key.verifier.text, ...more], { DATABASE_URL: url });
  expect(await verify()).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'Seal 2 was made while tables were not as the schema makes them (staff:rules): lines may have been kept from being written. Verify what follows with --after 2.\n',
  });
  expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({
    verified: false,
    bad_tables: [],
    altered_when_sealed: [{ first_seal: 2, last_seal: 2, tables: ['staff:rules'] }],
  });
  expect(await verify('--after', '2')).toMatchObject({ exitCode: 0 });
});

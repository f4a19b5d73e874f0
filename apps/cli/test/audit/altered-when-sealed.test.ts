import {
  createAccount,
  createMasterKey,
  createSealKey,
  endHold,
  openStore,
  placeHold,
  readSealKey,
  sealLines,
  withAudit,
} from '@insurance-verification/store';
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

// Broke: a hold whose row somebody removed or ended by SQL was gone, and the audit, which has it, was not asked.
test('a legal hold that was placed and not ended, and is not in its table, is named', async () => {
  const { connectionString: url } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const store = await openStore({ connectionString: url, encryptionKey: createMasterKey('k1') });
  onTestFinished(() => store.close());
  const operator = { keyId: 'key_01jdabcdefghjkmnpqrstvwxyz', accountId: '', mode: 'live' } as const;
  const caller = { ...operator, acrossAccounts: true };
  const account = { name: 'Clinic', kind: 'provider', mode: 'live', webhookSecret: 'whsec_x' } as const;
  const made = await createAccount(store, { caller, ...account });
  if (made.kind !== 'created') throw new Error('It was not made.');
  const covers = { accountId: made.account.account_id };
  const holds: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const placed = await placeHold(store, { caller, covers, reason: 'x' });
    if (placed.kind === 'placed') holds.push(placed.hold.hold_id);
  }
  const [removed = '', ended = '', left = ''] = holds;
  await endHold(store, { caller, holdId: ended });
  const verify = async (...more: string[]) => {
    await sealLines(store, { key });
    return iv(['audit', 'verify', '--key', key.verifier.text, ...more], { DATABASE_URL: url });
  };
  expect(await verify()).toMatchObject({ exitCode: 0, stderr: '' });
  await client.query('delete from legal_hold where id = $1', [removed]);
  await client.query('update legal_hold set ended_at = now(), ended_by = placed_by where id = $1', [left]);
  const found = await verify();
  expect(found).toMatchObject({ exitCode: 1, stdout: '' });
  expect(found.stderr.split('\n').slice(0, -1)).toEqual(
    [removed, left].map((id) =>
      expect.stringMatching(`^The legal hold ${id} on an account, placed .*, was not ended`),
    ),
  );
  expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({
    verified: false,
    bad_range: null,
    missing_holds: [{ hold_id: removed, request_id: null }, { hold_id: left }],
  });
  for (const holdId of [removed, left]) await endHold(store, { caller, holdId });
  expect(await verify()).toMatchObject({ exitCode: 0 });
});

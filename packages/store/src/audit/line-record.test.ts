import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { archiveOf, ninetyLines } from '../../test/ground/audit-drops.ts';
import { encryptAll, sealKey, summary } from '../../test/ground/audit-seals.ts';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { migrate, verifySeals, withAudit } from '../index.ts';
import { withClient } from '../testing/create-test-database.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { readLeaf, readLeaves } from './line-record.ts';
import { sealAt } from './stored-seal.ts';
import { type Hash, hashOf, TreeEdge } from './tree.ts';

const stores = await openTestStores();
const { store, sql, connectionString } = stores;

const { first } = await ninetyLines(stores);

const verify = (url: string) =>
  withAudit(url, async (audit) => summary(await verifySeals(audit, { keys: [sealKey.verifier], after: 0 })));

/** A line of an archive. */
type Archived = Readonly<Record<string, string | boolean | null>> & { readonly at: string };

/** What a leaf holds, by the page on the formats alone. */
function leafOf({ audit_id, at, emergency, ...texts }: Archived): Buffer {
  const whole = Buffer.alloc(8);
  whole.writeBigInt64BE(BigInt(String(audit_id)));
  const time = Buffer.alloc(8);
  const [seconds = '', micros = ''] = at.replace('Z', '').split('.');
  time.writeBigInt64BE(
    (BigInt(Date.parse(`${seconds}Z`) / 1000) - 946_684_800n) * 1_000_000n + BigInt(micros),
  );
  const textOf = (name: string) => {
    const text = texts[name];
    return typeof text === 'string' ? Buffer.from(text) : null;
  };
  const values = [
    whole,
    time,
    ...['key_id', 'account_id', 'operation', 'request_id'].map(textOf),
    ...['subject_id', 'actor_name', 'session_id', 'address'].map(textOf),
    Buffer.of(emergency === true ? 1 : 0),
    ...['outcome', 'details', 'request_ids', 'request_account_ids'].map(textOf),
  ];
  const parts = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value?.length ?? -1);
    return value ? [length, value] : [length];
  });
  return Buffer.concat([Buffer.of(0), ...parts]);
}

/** None of them may show in a leaf. */
const OTHER_SETTINGS = [
  `datestyle = 'SQL, DMY'`,
  `timezone = 'Asia/Kathmandu'`,
  `bytea_output = 'escape'`,
  `extra_float_digits = -15`,
];

const domainsOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ oid: number }>(
      `select oid from pg_type where typtype = 'd' and oid > 16383 order by typname`,
    );
    return rows;
  });

function rootOf(leaves: readonly Buffer[]): Hash {
  const edge = TreeEdge.empty();
  for (const leaf of leaves) edge.add(hashOf(leaf));
  return edge.root();
}

// Broke: a leaf held the OID of the type of `outcome`, which is another in each database, so that after `pg_dump` and
// `pg_restore` every line counted as altered.
test('in a database whose types have other OIDs the audit is as it was sealed, and its archive the same', async () => {
  const restored = await anEmptyDatabase();
  await migrate({ connectionString: restored });
  expect(await domainsOf(restored)).not.toEqual(await domainsOf(connectionString));
  await withClient(restored, async (client) => {
    await monthsPassed({ sql: (text) => client.query(text) }, 2);
    for (const table of ['access_log', 'audit_seal'])
      for (const { line } of await sql<{ line: string }>(`select to_json(t)::text as line from ${table} t`))
        await client.query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
          line,
        ]);
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
    for (const setting of OTHER_SETTINGS)
      await client.query(`alter database ${rows[0]?.name} set ${setting}`);
  });
  expect(await verify(connectionString)).toEqual([10, 90]);
  expect(await verify(restored)).toEqual([10, 90]);
  const archive = await withAudit(restored, (audit) => archiveOf(audit, first));
  expect(archive).toBe(await archiveOf(store, first));
});

// Without it an auditor could not recompute a seal from an archive in another language, by the page.
test('an archive and the page on the formats are enough to recompute the root of a seal', async () => {
  const lines = (await archiveOf(store, first)).trimEnd().split('\n');
  const leaves = lines.map((line) => leafOf(JSON.parse(line) as Archived));
  for (const number of [1, 2, 3, 4]) {
    const { treeSize, root } = (await sealAt(store.db, number))?.statement ?? {};
    expect(rootOf(leaves.slice(0, treeSize))).toBe(root);
  }
});

// Breaks if somebody who owns the database could put a function in the place of one that makes leaves: one whose
// arguments fit better is taken before the server's own, whatever the search path says.
test('functions of the database’s own that fit better are not called for a leaf', async () => {
  await sql(`
    create function convert_to(text, text) returns bytea language sql as $$ select ''::bytea $$;
    create function convert_to(issued_id, name) returns bytea language sql as $$ select ''::bytea $$;
    create function convert_to(access_outcome, name) returns bytea language sql as $$ select ''::bytea $$`);
  await sql(`insert into access_log (key_id, operation) values ('key_1', 'requests.get')`);
  await encryptAll(store);
  const found = await verify(connectionString);
  await sql(
    'drop function convert_to(text, text), convert_to(issued_id, name), convert_to(access_outcome, name)',
  );
  expect(await verify(connectionString)).toEqual(found);
  expect(found).toEqual([11, 91]);
});

// A golden value: with another, every audit that was ever sealed counts as altered.
test('the leaf of a line is what it always was', async () => {
  const id = 68_200_000_999_999n;
  await sql(
    `insert into access_log values ($1, '2026-11-27T09:30:00.123456Z', 'key_1', 'acct_1', 'requests.get',
      'req_1', '', '"Ánn 𝕊"', null, '192.0.2.7', true, 'refused', '{"a":1}',
      '{req_2,req_3}', '{acct_1,acct_2}')`,
    [id],
  );
  const leaves: Buffer[] = [];
  for await (const leaf of readLeaves(store.db, { after: id - 1n, through: id })) leaves.push(leaf);
  expect(leaves.map(readLeaf)).toEqual([
    {
      id: '68200000999999',
      at: '2026-11-27T09:30:00.123456Z',
      keyId: 'key_1',
      accountId: 'acct_1',
      operation: 'requests.get',
      requestId: 'req_1',
      subjectId: '',
      actorName: '"Ánn 𝕊"',
      sessionId: null,
      address: '192.0.2.7',
      emergency: true,
      outcome: 'refused',
      details: '{"a":1}',
      requestIds: '{req_2,req_3}',
      requestAccountIds: '{acct_1,acct_2}',
    },
  ]);
  expect(leaves.map((leaf) => hash('sha256', leaf, 'hex'))).toEqual([
    '7f6d7929fe4ea36fac627fc0b1a1d4f8fde86e18a71141c31decae94364d6b2c',
  ]);
});

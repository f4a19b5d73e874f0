import { Scope, StaffRole, type VerifyWithin } from '@insurance-verification/schema';
import * as fc from 'fast-check';
import { sql as fragment } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { somePowers } from '../../test/ground/some-powers.ts';
import { issueId } from '../issued-id.ts';
import { COVERED_COLUMNS, COVERED_TABLES, type CoveredTable } from './covered-columns.ts';
import { insertRow, readRows } from './covered-rows.ts';

const { store, sql } = await openTestStores();

beforeAll(async () => {
  for (const subject of ['ada', 'eve']) await somePowers(store, subject);
  // Whoever writes to the tables can do so as well.
  const keys = await sql<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
     from pg_constraint where contype in ('f', 'c') and conrelid <> 0 and conparentid = 0 and coninhcount = 0`,
  );
  for (const key of keys) await sql(key.drop);
});

const ids = fc.constantFrom('acct', 'key', 'stf', 'ses').map(() => issueId('stf'));
/** What JavaScript's dates cannot say as well. */
const instants = fc.oneof(
  fc.constantFrom('infinity', '-infinity', 'a microsecond later'),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
);
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  kind: fc.constantFrom('provider', 'platform'),
  mode: fc.constantFrom('live', 'test'),
  way: fc.constantFrom('link', 'provider', 'passkey'),
  bootstrap: fc.boolean(),
  is_fresh: fc.boolean(),
  created_by: fc.constantFrom('stf_1', 'key_1'),
  reason: fc.constantFrom('wrong_patient', 'posted_twice'),
  days: fc.integer({ min: 3, max: 3_650 }),
  made_by: fc.array(fc.constantFrom('stf_1', 'key_1')),
  link_by: fc.array(fc.constantFrom('stf_1', 'key_1')),
  asked_in: fc.array(fc.constantFrom('stf_1', 'key_1')),
  enrolled_by: fc.array(fc.constantFrom('stf_1', 'key_1')),
  wrong_count: fc.integer({ min: 0, max: 5 }),
  verify_within: fc.dictionary(
    fc.string({ maxLength: 3 }).filter((one) => !one.includes('\0')),
    fc.boolean(),
  ),
  scopes: fc.shuffledSubarray([...Scope.options], { minLength: 1 }),
  roles: fc.shuffledSubarray([...StaffRole.options], { minLength: 1 }),
  allowed_cidrs: fc.array(fc.constantFrom('10.0.0.0/8', '::/0', 'a,b', '"'), { minLength: 1, maxLength: 3 }),
  hash: fc.uint8Array({ minLength: 1, maxLength: 33 }).map((bytes) => Buffer.from(bytes)),
};
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => !one.includes('\0'));

/** Any value of a column, in PostgreSQL's text where that has more than JavaScript. */
function anyOf(column: string): fc.Arbitrary<unknown> {
  if (column.endsWith('_at')) return instants;
  return values[column] ?? (column.endsWith('id') ? fc.oneof(ids, text) : text);
}

const anyChange = fc
  .constantFrom(
    ...COVERED_TABLES.flatMap((table) =>
      Object.keys(COVERED_COLUMNS[table]).map((column) => ({ table, column })),
    ),
  )
  .chain(({ table, column }) =>
    fc.record({
      table: fc.constant(table),
      column: fc.constant(column),
      value: fc.option(anyOf(column)),
    }),
  );

/** The database's rows as they are; what `work` changed is undone. */
async function undone(work: (inside: Pick<typeof store, 'db' | 'vault'>) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  const done = store.db.transaction().execute(async (trx) => {
    await work({ db: trx, vault: store.vault });
    throw undo;
  });
  await done.catch((err: unknown) => {
    if (err !== undo) throw err;
  });
}

// Broke: `update api_key set scopes = …, account_id = …` read every patient a second later.
test('a row is absent once any covered column has any other value', async () => {
  const nullable = new Map(
    (
      await sql<{ name: string; is_nullable: string }>(
        `select table_name || '.' || column_name as name, is_nullable from information_schema.columns`,
      )
    ).map(({ name, is_nullable }) => [name, is_nullable === 'YES']),
  );
  await fc.assert(
    fc.asyncProperty(anyChange, async ({ table, column, value }) => {
      fc.pre(value !== null || nullable.get(`${table}.${column}`) === true);
      const given =
        value === 'a microsecond later' && column.endsWith('_at')
          ? fragment`coalesce(value, now()) + interval '1 microsecond'`
          : fragment`${value}`;
      await undone(async (inside) => {
        const [row] = await readRows(inside, table, { where: fragment<boolean>`true` });
        if (!row) throw new Error(`There is no row of ${table}.`);
        const { rows } = await fragment<{ changed: boolean }>`
          with before as (select ${fragment.ref(column)} as value from ${fragment.table(table)} where mac = ${row.mac})
          update ${fragment.table(table)} set ${fragment.ref(column)} = ${given} from before where mac = ${row.mac}
          returning before.value is distinct from ${fragment.ref(`${table}.${column}`)} as changed`.execute(
          inside.db,
        );
        const found = await readRows(inside, table, { where: fragment<boolean>`mac = ${row.mac}` });
        expect(found).toHaveLength(rows[0]?.changed === true ? 0 : 1);
      });
    }),
    { numRuns: 400 },
  );
});

const actors = fc.uniqueArray(fc.constantFrom('stf_1', 'key_1', 'stf_2'), { minLength: 1 });
const list = fc.option(fc.uniqueArray(fc.constantFrom('a', 'b "', 'ü,', '{}'), { minLength: 1 }));

// Without it the service would take what it wrote itself for somebody else's: PostgreSQL orders the members of an object.
test('whatever the service means comes back as it was meant', async () => {
  const row = fc.record({
    id: fc.constant(0).map(() => issueId('stf')),
    name: fc.constant('"x"'),
    account_id: fc.constant(null),
    roles: fc.shuffledSubarray([...StaffRole.options], { minLength: 1 }),
    allowed_cidrs: list,
    verify_within: fc.option(
      fc
        .tuple(
          fc.dictionary(fc.constantFrom('payer_ids', 'channels', 'account_ids'), list),
          fc.dictionary(
            fc.string({ unit: 'grapheme', maxLength: 9 }).filter((one) => !one.includes('\0')),
            list,
          ),
        )
        .map((parts) => Object.assign({}, ...parts.toReversed()) as VerifyWithin),
    ),
    ended_at: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })),
    made_by: fc.option(actors),
  });
  await fc.assert(
    fc.asyncProperty(row, async (meant) => {
      await undone(async (inside) => {
        const written = await insertRow(inside, 'staff', meant);
        expect(written).toMatchObject(meant);
        const [found] = await readRows(inside, 'staff', { is: { id: meant.id } });
        expect(found).toMatchObject(meant);
      });
    }),
    { numRuns: 200 },
  );
});

/** Columns that give nobody anything. */
const UNCOVERED: Readonly<Record<CoveredTable, readonly string[]>> = {
  account: [
    'name',
    'webhook_secret',
    'previous_webhook_secret',
    'previous_webhook_secret_until',
    'created_at',
    'retention_days',
    'erases_from',
    'erased_through',
    'is_demo', // deletes a test account, and no other
  ],
  api_key: ['prefix', 'name', 'created_at', 'last_used_at'],
  staff: ['name', 'created_at'],
  staff_identity: [],
  sign_in_link: [],
  staff_session: ['created_at', 'used_at', 'device', 'on_call_until'],
  emergency_access: [],
  erasure: [],
  retention_asking: [],
  legal_hold: ['reason', 'placed_at', 'placed_by'],
};

// Without it a new column would be left out by forgetting it.
test.each(COVERED_TABLES)('each column of %s is covered, or said to give nothing', async (table) => {
  const columns = await sql<{ name: string }>(
    'select column_name as name from information_schema.columns where table_name = $1 order by 1',
    [table],
  );
  const known = [...Object.keys(COVERED_COLUMNS[table]), ...UNCOVERED[table], 'mac'];
  expect(columns.map(({ name }) => name)).toEqual(known.toSorted());
});

// Without it whoever has one key could make another's row theirs.
test.each(COVERED_TABLES)(
  'a MAC of %s is right for no other row of it, and for no other table',
  async (table) => {
    await undone(async (inside) => {
      const all = await readRows(inside, table, { where: fragment<boolean>`true` });
      const [one, other] = all;
      if (!one || !other) throw new Error('There are two of each.');
      await fragment`update ${fragment.table(table)} set mac = ${one.mac} where mac = ${other.mac}`.execute(
        inside.db,
      );
      const left = await readRows(inside, table, { where: fragment<boolean>`mac = ${one.mac}` });
      expect(left).toHaveLength(1);
      for (const elsewhere of COVERED_TABLES.filter((name) => name !== table))
        expect(store.vault.macs.open(elsewhere, one.covered)).toBeUndefined();
    });
  },
);

test('a MAC is right under no other name of a key, cut short, or empty', async () => {
  const [row] = await readRows(store, 'account', { where: fragment<boolean>`true` });
  if (!row) throw new Error('There is one.');
  const { mac, columns } = row.covered;
  expect(store.vault.macs.open('account', { mac, columns })).toMatchObject({ id: row.id, kind: row.kind });
  for (const wrong of [
    '',
    '.',
    'k1.',
    `k2${mac.slice(2)}`,
    mac.slice(0, -4),
    mac.slice(3),
    `${mac}A`.slice(1),
  ])
    expect(store.vault.macs.open('account', { mac: wrong, columns }), wrong).toBeUndefined();
});

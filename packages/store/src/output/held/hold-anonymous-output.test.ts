import { anOutput } from '@insurance-verification/testing/an-output';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, hold, intake, submit } from '../../../test/ground/stages.ts';
import { applyHeldOutput, dismissHeldOutput } from '../../index.ts';
import { issueId } from '../../issued-id.ts';
import { type HeldRef, heldPlace } from './held-encryption.ts';
import { HELD_CAPACITY, type HeldCapacity } from './hold.ts';

vi.setConfig({ testTimeout: 30_000 });
// A connection for each who races: one who waits for one in use gives up after 0.7 s, which is not the subject here.
const { store, rival, sql, connectionString } = await openTestStores({ connectionCountMax: 30 });
const caller = await anAccount(store);
const request = await intake(store, caller);

beforeEach(() => sql('delete from held_output'));

let made = 0;
const client = () => `192.0.2.${(made += 1)}`;
const ROOMY: HeldCapacity = { ...HELD_CAPACITY, byteCountMax: Number.MAX_SAFE_INTEGER };

/** An anonymous output, by default from a new client. */
const stray = (notes: string, heldCapacity: HeldCapacity = ROOMY, from = client(), on = store) =>
  submit(on, anOutput(request, { request_id: null, notes }), {
    caller: null,
    trusted: false,
    client: from,
    heldCapacity,
  });
const verifiers = (notes: string, heldCapacity: HeldCapacity = ROOMY) =>
  hold(store, anOutput(request, { request_id: null, notes }), { heldCapacity });

/** The notes of the stored outputs, in order of arrival. */
const stored = async (where = `status = 'held'`) => {
  const rows = await sql<HeldRef & { body: Buffer }>(
    `select id, null as account_id, received_by, named_request_id, body from held_output where ${where} order by id`,
  );
  const outputs = await Promise.all(
    rows.map((row) =>
      store.vault.decryptJson<ReturnType<typeof anOutput>>('system', heldPlace('body', row), row.body),
    ),
  );
  return outputs.map((output) => output.insurance_data[0]?.notes?.replace(/^(\D)\1+$/, '$1'));
};
const anonymous = () => stored(`status = 'held' and received_by is null`);

// Broke: 10,000 small posts without a key filled the store for 30 days, and a verifier's correction was a 429.
test('anonymous senders fill half of the rows, the newest stay, and verifiers have the other half', async () => {
  const capacity = { ...ROOMY, rowCountMax: 10 };
  const answers = [];
  for (let index = 0; index < 12; index += 1) answers.push(await stray(`s${index}`, capacity));
  expect(await anonymous()).toEqual(['s7', 's8', 's9', 's10', 's11']);
  expect(answers.map((answer) => answer.kind === 'held' && answer.displacedCount)).toEqual([
    0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1,
  ]);
  for (let index = 0; index < 5; index += 1) await verifiers(`v${index}`, capacity);
  await expect(verifiers('v5', capacity)).rejects.toThrow('at_capacity');
  await stray('s12', capacity);
  expect(await anonymous()).toEqual(['s8', 's9', 's10', 's11', 's12']);
  expect(await stored('received_by is not null')).toEqual(['v0', 'v1', 'v2', 'v3', 'v4']);
});

// Broke: 257 posts of 1 MB did the same.
test('anonymous senders fill half of the bytes, and an output displaces no more than it needs', async () => {
  const sizeOf = (notes: string) =>
    Buffer.byteLength(JSON.stringify(anOutput(request, { request_id: null, notes })));
  const large = (letter: string) => letter.repeat(5_000);
  const [small, big] = [sizeOf('1'), sizeOf(large('a'))];
  const capacity = { ...HELD_CAPACITY, byteCountMax: 2 * (3 * big + 4 * small) };
  for (const notes of ['1', '2', large('a'), '3', large('b'), '4', large('c')]) await stray(notes, capacity);
  expect(await anonymous()).toEqual(['1', '2', 'a', '3', 'b', '4', 'c']);
  await stray('5', capacity);
  expect(await anonymous()).toEqual(['2', 'a', '3', 'b', '4', 'c', '5']);
  await stray(large('d'), capacity);
  expect(await anonymous()).toEqual(['3', 'b', '4', 'c', '5', 'd']);
  for (const notes of [large('e'), large('f'), large('g')]) await verifiers(notes, capacity);
  expect(await stray('x'.repeat(capacity.byteCountMax), capacity)).toEqual({ kind: 'at_capacity' });
  expect(await anonymous()).toEqual(['3', 'b', '4', 'c', '5', 'd']);
});

// Without it one client would displace every other anonymous sender's outputs.
test('a client beyond its rows displaces its own oldest', async () => {
  const capacity = { ...ROOMY, clientRowCountMax: 3 };
  await stray('other', capacity);
  for (const notes of ['1', '2', '3', '4', '5']) await stray(notes, capacity, '198.51.100.1');
  expect(await anonymous()).toEqual(['other', '3', '4', '5']);
});

// Without it room that verifiers do not need would be lost to anonymous senders, or vice versa.
test('verifiers have what anonymous senders leave, and anonymous senders a fiftieth even when verifiers have it all', async () => {
  const capacity = { ...ROOMY, rowCountMax: 100 };
  for (let index = 0; index < 99; index += 1) await verifiers(`v${index}`, capacity);
  await stray('s0', capacity);
  await expect(verifiers('v99', capacity)).rejects.toThrow('at_capacity');
  for (const notes of ['s1', 's2', 's3']) await stray(notes, capacity);
  expect(await anonymous()).toEqual(['s2', 's3']);
  expect(await stored('received_by is not null')).toHaveLength(99);
});

// Without it a flood would displace the record of a result, or dismissed outputs would fill the disk.
test('what was applied stays for ever, what was dismissed goes before what waits', async () => {
  const capacity = { ...ROOMY, rowCountMax: 6 };
  const ids: string[] = [];
  for (const notes of ['1', '2', '3']) {
    const answer = await stray(notes, capacity);
    if (answer.kind === 'held') ids.push(answer.heldId);
  }
  const { request_id: requestId } = await intake(store, caller);
  expect(await applyHeldOutput(store, { caller, heldId: ids[0] ?? '', requestId })).toMatchObject({
    kind: 'applied',
  });
  await dismissHeldOutput(store, { caller, heldId: ids[2] ?? '' });
  await stray('4', capacity);
  expect(await stored('true')).toEqual(['1', '2', '3', '4']);
  expect(await stray('5', capacity)).toMatchObject({ displacedCount: 0 });
  expect(await stored('true')).toEqual(['1', '2', '4', '5']);
  for (const notes of ['6', '7', '8']) await stray(notes, capacity);
  expect(await stored('true')).toEqual(['1', '6', '7', '8']);
});

// Without it a hundred concurrent senders would exceed the cap together.
test('racing anonymous senders do not pass their share, by two processes', async () => {
  const capacity = { ...ROOMY, rowCountMax: 14 };
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      stray(`race ${index}`, capacity, client(), index % 2 ? store : rival),
    ),
  );
  expect(await anonymous()).toHaveLength(7);
});

// Without it an anonymous sender who guesses a verifier's correction could get it displaced by later outputs.
test('a verifier’s output is held next to an anonymous sender’s equal one', async () => {
  const finished = await aFinishedRequest(store, caller);
  const output = anOutput(finished, { notes: 'corrected' });
  const unnamed = await hold(store, output, { caller: null });
  const verified = await hold(store, output);
  expect(verified).not.toBe(unnamed);
  expect([await hold(store, output, { caller: null }), await hold(store, output)]).toEqual([
    unnamed,
    verified,
  ]);
});

// Broke: all outputs were held under one lock, so a flood delayed every verifier.
test('a verifier’s is held, and an anonymous sender’s repeat answered, while anonymous senders wait for each other', async () => {
  await stray('repeat');
  await rival.db.transaction().execute(async (trx) => {
    await trx.selectFrom('held_count').selectAll().where('is_keyed', '=', false).forUpdate().execute();
    await verifiers('meanwhile');
    expect(await stray('repeat')).toMatchObject({ kind: 'held', displacedCount: 0 });
  });
  expect(await stored()).toEqual(['repeat', 'meanwhile']);
});

// Without it an anonymous sender and an operator would deadlock.
test('what an operator settles at this moment is passed over', async () => {
  const capacity = { ...ROOMY, rowCountMax: 4 };
  await stray('1', capacity);
  await stray('2', capacity);
  await rival.db.transaction().execute(async (trx) => {
    await trx.selectFrom('held_output').select('id').orderBy('id').limit(1).forUpdate().execute();
    await stray('3', capacity);
  });
  expect(await anonymous()).toEqual(['1', '3']);
});

// Broke: a known id was looked up, locked by its foreign key and written to the access log; an unknown one was not.
test('a known id, an unknown one and an invalid one are the same statements and the same writes', async () => {
  const statements: string[] = [];
  const pool = new pg.Pool({ connectionString, max: 1 });
  const db: typeof store.db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  onTestFinished(() => db.destroy());
  const tables = await sql<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const sizes = async () =>
    Promise.all(tables.map(async ({ name }) => (await sql(`select from ${name}`)).length));
  const workOf = async (requestId: string | null) => {
    const before = await sizes();
    statements.length = 0;
    const output = anOutput(request, { request_id: requestId });
    const send = () =>
      submit({ ...store, db }, output, { caller: null, trusted: false, client: '203.0.113.5' });
    await send();
    const first = statements.splice(0);
    await send();
    const after = await sizes();
    return {
      first,
      again: statements.splice(0),
      added: after.map((size, index) => size - (before[index] ?? 0)),
    };
  };
  const lastLocked = () => sql('select xmax::text from request where id = $1', [request.request_id]);
  const before = await lastLocked();
  const known = await workOf(request.request_id);
  expect(known.first).toHaveLength(2);
  expect(known.again).toHaveLength(1);
  expect(known.added.reduce((sum, count) => sum + count)).toBe(1);
  expect(await workOf(issueId('req'))).toEqual(known);
  expect(await workOf('their-id')).toEqual(known);
  expect(await workOf(null)).toEqual(known);
  // Not locked either: a lock is written into the row.
  expect(await lastLocked()).toEqual(before);
});

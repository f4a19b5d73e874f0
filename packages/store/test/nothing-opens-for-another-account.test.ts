import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { DecryptionError } from '../src/encryption/encrypt.ts';
import { applyHeldOutput, getHeldOutput, insertRequests, replayRequest } from '../src/index.ts';
import { deliveryQueue } from './ground/delivery-queue.ts';
import { OPERATOR, encryptedReaders, theirs } from './ground/encrypted-readers.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  hold,
  intake,
  PAYER_ID,
} from './ground/stages.ts';
import { claimOne, submitFound, workQueue } from './ground/work-queue.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const READERS = encryptedReaders(stores);

/** Columns of bytes in rows about requests that nobody opens: why. */
const NOT_OPENED: Readonly<Record<string, string>> = {
  'batch.head_digest': 'a keyed hash',
  'batch.key': 'a keyed hash',
  'batch_row.digest': 'a keyed hash',
  'delivery.destination_host': 'a keyed hash',
  'delivery_queue.destination_host': 'a keyed hash',
  'event.mac': 'a keyed hash',
  'held_output.client': 'a keyed hash',
  'held_output.digest': 'a keyed hash',
  'idempotency_key.body_digest': 'a keyed hash',
  'idempotency_key.key': 'a keyed hash',
  'look.asked': 'a keyed hash',
  'page_probe.page': 'random bytes',
  'result.digest': 'a keyed hash',
  'verification_attempt.lease_hash': 'a digest of a random token',
};

/** Tables with bytes that are about no request. */
const OF_NO_REQUEST = [
  'account',
  'api_key',
  'applied_bootstrap',
  'audit_seal',
  'data_key',
  'earlier_webhook_secret',
  'emergency_access',
  'master_key_check',
  'passkey',
  'receiver',
  'receiver_hour',
  'sign_in_link',
  'staff_session',
  'used_logout_token',
  'used_passkey_challenge',
  'webhook_endpoint',
];

/** What a reader shows, or that it found a broken seal. */
async function shown(reading: Promise<unknown>): Promise<string> {
  try {
    // Payers' answers are bytes.
    return JSON.stringify(await reading, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
  } catch (err) {
    if (err instanceof DecryptionError) return 'broken';
    throw err;
  }
}

/** Turns requests to another account by SQL: their rows alone, or all rows about them. */
const TURNS: Readonly<Record<string, (ids: readonly string[], accountId: string) => Promise<void>>> = {
  'its row': async (ids, accountId) => {
    await sql('update request set account_id = $2 where id = any ($1)', [ids, accountId]);
  },
  'every row about it': async (ids, accountId) => {
    await sql('update request set account_id = $2 where id = any ($1)', [ids, accountId]);
    const tables = await sql<{ table: string }>(
      `select of_account.table_name as "table" from information_schema.columns of_account
       join information_schema.columns of_request using (table_schema, table_name)
       join pg_class on oid = quote_ident(table_name)::regclass
       where table_schema = 'public' and of_account.column_name = 'account_id' and of_request.column_name = 'request_id'
         and relkind = 'r' and not relispartition and table_name <> 'access_log'`,
    );
    expect(tables.length).toBeGreaterThan(4);
    for (const { table } of tables)
      await sql(`update ${table} set account_id = $2 where request_id = any ($1)`, [ids, accountId]);
  },
};

const SECRETS =
  /jane|w123456789|isa~|of a (key|stranger)|active in the portal|127\.0\.0\.1|member_not_found/i;

// Broke: one `update request set account_id` showed an account's patient to the keys of another.
test.each(Object.keys(TURNS))(
  'of a request that SQL turned to another account, by %s, nothing opens',
  async (turn) => {
    const own = await anAccount(store);
    const of = await theirs(stores);
    const [{ account_id: accountId } = { account_id: '' }] = await sql<{ account_id: string }>(
      'select account_id from request where id = $1',
      [of.requestId],
    );
    const before = { ...own, accountId };
    for (const [name, { read, shows }] of Object.entries(READERS))
      expect(await shown(read(before, of)), name).toContain(shows);
    await TURNS[turn]?.([of.requestId, of.openId], own.accountId);
    for (const [name, { read }] of Object.entries(READERS))
      expect(await shown(read(own, of)), name).not.toMatch(SECRETS);
  },
);

// Without it a column that somebody adds would be opened for whatever account its row names.
test('every encrypted column of a request has a reader here', async () => {
  const columns = await sql<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column"
     from information_schema.columns join pg_class on oid = quote_ident(table_name)::regclass
     where table_schema = 'public' and data_type = 'bytea' and relkind in ('r', 'p') and not relispartition`,
  );
  const encrypted = columns
    .filter(({ table }) => !OF_NO_REQUEST.includes(table))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((column) => !Object.hasOwn(NOT_OPENED, column));
  const opened = new Set(Object.values(READERS).flatMap(({ opens }) => opens));
  expect([...opened].toSorted()).toEqual(encrypted.toSorted());
});

// Broke: an own delivery that SQL pointed to another account's result sent that to the own callback address.
test('an own delivery that SQL pointed to the result of another account has no message', async () => {
  await deliveryQueue(stores).empty();
  const [own, other] = [await anAccount(store), await anAccount(store)];
  const mine = await aFinishedRequest(store, own);
  const { request_id: theirsId } = await aFinishedRequest(store, other);
  await sql('delete from delivery_queue where request_id = $1', [theirsId]);
  await sql('delete from delivery where request_id = $1', [theirsId]);
  await sql('update delivery set request_id = $2 where request_id = $1', [mine.request_id, theirsId]);
  await sql('update delivery_queue set request_id = $2 where request_id = $1', [mine.request_id, theirsId]);
  expect(await claimFor(store, theirsId)).toMatchObject({ accountId: own.accountId, message: null });
});

// Broke: an own key that SQL pointed to another account's request answered with that.
test('an own idempotency key that SQL pointed to the request of another account replays nothing', async () => {
  const [own, other] = [await anAccount(store), await anAccount(store)];
  const { request_id: theirsId } = await intake(store, other);
  const request = {
    caller: own,
    payerId: PAYER_ID,
    input: aRequest({ cpt_code_coverage: [] }),
    idempotencyKey: 'k',
  };
  await insertRequests(store, [request]);
  await sql('update idempotency_key set request_id = $2 where account_id = $1', [own.accountId, theirsId]);
  await expect(replayRequest(store, request)).rejects.toThrow(DecryptionError);
});

// Broke: what was held of one account's request could be read, and applied, as if it were of another's.
test.each([
  ['a key', {}, 'request_id'],
  ['a stranger', { caller: null, client: '203.0.113.7', trusted: false }, 'named_request_id'],
] as const)(
  'an output of %s that SQL turned to another request neither opens nor applies',
  async (_, sent, column) => {
    const [own, other] = [await anAccount(store), await anAccount(store)];
    const mine = await intake(store, own);
    const request = await aFinishedRequest(store, other);
    const heldId = await hold(store, anOutput(request, { notes: 'Jane has another plan' }), sent);
    await sql(`update held_output set ${column} = $2 where id = $1`, [heldId, mine.request_id]);
    const caller = OPERATOR;
    await expect(getHeldOutput(store, { caller, heldId })).rejects.toThrow(DecryptionError);
    await expect(applyHeldOutput(store, { caller, heldId })).rejects.toThrow(DecryptionError);
    expect(await sql('select outcome from request where id = $1', [mine.request_id])).toEqual([
      { outcome: 'none' },
    ]);
  },
);

// Broke: a verifier who worked on it as SQL turned it would have sent its result to the other account.
test('a result of a request that SQL turned to another account is not written', async () => {
  await queue.empty();
  const [own, other] = [await anAccount(store), await anAccount(store)];
  const { request_id: id } = await intake(store, other);
  const work = await claimOne(store);
  await sql('update request set account_id = $2 where id = $1', [id, own.accountId]);
  await expect(submitFound(store, work)).rejects.toThrow(DecryptionError);
  expect(await sql('select from result where request_id = $1', [id])).toEqual([]);
});

// Broke: a test account's operator could have read what a stranger sent about a live request that SQL turned to it.
test.each([
  ['turned', 'update request set account_id = $2 where id = $1'],
  ['turned, and emptied', `update request set account_id = $2, input = '' where id = $1`],
  ['turned, and erased', `update request set account_id = $2, input = '', erased_at = now() where id = $1`],
])('what a stranger sent about a request that was %s is shown to no test operator', async (_, turn) => {
  const [own, other] = [await anAccount(store, { mode: 'test' }), await anAccount(store)];
  const request = await intake(store, other);
  const sent = { caller: null, client: '203.0.113.7', trusted: false };
  const heldId = await hold(store, anOutput(request, { notes: `Jane, ${turn}` }), sent);
  await sql(turn, [request.request_id, own.accountId]);
  const found = getHeldOutput(store, { caller: aPlatformCaller('test'), heldId });
  expect(await found.catch((err: unknown) => err)).toEqual(
    turn.includes('erased') ? { kind: 'not_found' } : expect.any(DecryptionError),
  );
});

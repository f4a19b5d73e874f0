import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
  submit,
} from '../../test/ground/stages.ts';
import { applyHeldOutput, type Caller, eraseDue, redeliver, type Store } from '../index.ts';
import { withClient } from '../testing/create-test-database.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

/** An account that keeps data for so many days; past the day of grace. */
async function anErasing(days = 30): Promise<Caller> {
  const caller = await anAccount(store);
  await sql('update account set retention_days = $2 where id = $1', [caller.accountId, days]);
  return caller;
}

/** A delivered request of so many days ago. */
async function aDelivered(caller: Caller, days = 40): Promise<string> {
  const { request_id: id } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, id));
  return aged(stores, id, days);
}

/** Erases what is due, in batches of so many; answers how many each account lost. */
async function erase(by: Store = store, limit = 100): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let after: string | undefined; ;) {
    const batch = await eraseDue(by, { limit, after });
    if (batch.kind === 'busy') throw new Error('Another test erases.');
    if (batch.kind === 'erased') {
      counts[batch.accountId] = (counts[batch.accountId] ?? 0) + batch.count;
      after = batch.accountId;
    } else if (after === undefined) return counts;
    else after = undefined;
  }
}

const isErased = async (requestId: string) => {
  const [row] = await sql<{ erased: boolean; bytes: number }>(
    'select erased_at is not null as erased, octet_length(input) as bytes from request where id = $1',
    [requestId],
  );
  return row && row.erased && row.bytes === 0;
};

test('what ended before the retention is erased; what is younger, unfinished, open or another account’s is not', async () => {
  const [caller, other] = [await anErasing(), await anAccount(store)];
  const old = await aDelivered(caller);
  const kept = [await aDelivered(caller, 20), await aDelivered(other, 400)];
  const unfinished = await aged(stores, (await intake(store, caller)).request_id, 40);
  const open = await aged(stores, (await aFinishedRequest(store, caller)).request_id, 40);
  const rows = () =>
    sql(
      `select request.*, result.body, delivery.destination from request
       left join result on result.request_id = request.id left join delivery on delivery.request_id = request.id
       where request.id = any ($1) order by request.id`,
      [[...kept, unfinished, open]],
    );
  const before = await rows();
  expect(await erase()).toEqual({ [caller.accountId]: 1 });
  expect(await isErased(old)).toBe(true);
  expect(await rows()).toEqual(before);
});

// Without it a request that was worked on for a month would be passed by, and keep its data for good.
test('the age counts from the end of the delivery, also of what was open when its turn came', async () => {
  const caller = await anErasing();
  const id = await aged(stores, (await aFinishedRequest(store, caller)).request_id, 100);
  await erase();
  await finish(store, await claimFor(store, id));
  const after = async (days: number) => {
    await sql(`update delivery set done_at = now() - $2 * interval '1 day' where request_id = $1`, [
      id,
      days,
    ]);
    await sql(`update erasure_later set since = since - interval '31 days' where request_id = $1`, [id]);
    await erase();
    return isErased(id);
  };
  expect(await after(29)).toBe(false);
  expect(await after(31)).toBe(true);
  expect(await sql('select from erasure_later where account_id = $1', [caller.accountId])).toEqual([]);
});

test('a message that was given up is erased as one that arrived; the reason stays as a slug, free text does not', async () => {
  const caller = await anErasing();
  const failed = async (reason: string) => {
    const request = await intake(store, caller);
    await submit(
      store,
      anOutput(request, { state: 'error_verifying', error_reason: reason, insurance_data: [] }),
    );
    await finish(store, await claimFor(store, request.request_id), {
      outcome: 'gone',
      next: { kind: 'exhausted', reason: 'webhook_gone' },
    });
    return aged(stores, request.request_id, 40);
  };
  const ids = [await failed('member_not_found'), await failed('she said Jane moved')];
  await erase();
  expect(
    await sql(
      'select erased_reason, outcome_reason, outcome, delivery from request where id = any ($1) order by id',
      [ids],
    ),
  ).toEqual([
    {
      erased_reason: 'member_not_found',
      outcome_reason: null,
      outcome: 'error_verifying',
      delivery: 'exhausted',
    },
    { erased_reason: null, outcome_reason: null, outcome: 'error_verifying', delivery: 'exhausted' },
  ]);
});

// Without it one large account would keep all others waiting, or a batch hold thousands of rows.
test('batch after batch, in turns with other accounts, and one process at a time', async () => {
  const [one, other] = [await anErasing(), await anErasing(3)];
  for (let count = 0; count < 5; count += 1) await aDelivered(one);
  const last = await aDelivered(other, 4);
  const [first, second] = [one.accountId, other.accountId].toSorted();
  const batches = [];
  let after: string | undefined;
  for (let count = 0; count < 2; count += 1) {
    const batch = await eraseDue(store, { limit: 2, after });
    batches.push('accountId' in batch && batch.accountId);
    after = 'accountId' in batch ? batch.accountId : undefined;
  }
  expect(batches).toEqual([first, second]);
  expect(await isErased(last)).toBe(true);
  await withClient(stores.connectionString, async (client) => {
    await client.query('begin');
    await client.query('lock table draft in access exclusive mode'); // which a batch writes
    const busy = eraseDue(store, { limit: 2 });
    await expect.poll(() => eraseDue(rival, { limit: 2 })).toEqual({ kind: 'busy' });
    await client.query('rollback');
    expect(await busy).toMatchObject({ kind: 'erased', count: 2, accountId: one.accountId });
  });
  expect(await erase()).toMatchObject({ [one.accountId]: 1 });
});

// Without it a crash would leave a request whose result is gone and whose patient is not, or one that nobody looks at again.
test('a batch that is cut short leaves nothing half, and is done again', async () => {
  const caller = await anErasing();
  const ids = [await aDelivered(caller), await aDelivered(caller)];
  const rows = () =>
    sql(
      `select input, result.body, destination from request join result on result.request_id = request.id
       join delivery on delivery.request_id = request.id where request.id = any ($1) order by request.id`,
      [ids],
    );
  const before = await rows();
  await withClient(stores.connectionString, async (client) => {
    await client.query('begin');
    await client.query('lock table draft in access exclusive mode');
    const cut = eraseDue(store, { limit: 100 }).catch((err: unknown) => err);
    await expect
      .poll(async () => {
        const ended = await sql(
          `select pg_terminate_backend(pid) from pg_locks
           where relation = 'draft'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`,
        );
        return ended.length;
      })
      .toBe(1);
    expect(await cut).toBeInstanceOf(Error);
    await client.query('rollback');
  });
  expect(await rows()).toEqual(before);
  expect(await erase()).toMatchObject({ [caller.accountId]: 2 });
});

// Without it an operator’s statement on one request would hold up the whole erasure, or the request be passed by.
test('a transaction that changes a request is not waited for; it comes an hour later', async () => {
  const caller = await anErasing();
  const [locked, free] = [await aDelivered(caller), await aDelivered(caller)];
  await withClient(stores.connectionString, async (client) => {
    await client.query('begin');
    await client.query('select from request where id = $1 for no key update', [locked]);
    expect(await erase()).toMatchObject({ [caller.accountId]: 1 });
    await client.query('rollback');
  });
  expect([await isErased(locked), await isErased(free)]).toEqual([false, true]);
  await sql(`update erasure_later set since = since - interval '1 hour' where request_id = $1`, [locked]);
  await erase();
  expect(await isErased(locked)).toBe(true);
});

// Without it a receiver could be sent an empty message, or a correction be lost.
test('of an erasure and a redelivery or a correction at once, one comes first and the other learns of it', async () => {
  const caller = await anErasing();
  const operator = aPlatformCaller();
  const ids: string[] = [];
  const held = new Map<string, string>();
  for (let count = 0; count < 12; count += 1) {
    const request = await aFinishedRequest(store, caller);
    await finish(store, await claimFor(store, request.request_id));
    const heldId = await hold(store, anOutput(request, { notes: `later ${count}` }));
    const id = await aged(stores, request.request_id, 40);
    ids.push(id);
    if (count % 2) held.set(id, heldId);
  }
  const changing = async (id: string) => {
    const heldId = held.get(id);
    if (heldId === undefined) return (await redeliver(rival, { caller, requestId: id })).kind;
    return (await applyHeldOutput(rival, { caller: operator, heldId, requestId: id })).kind;
  };
  const [kinds] = await Promise.all([
    Promise.all(ids.map(changing)),
    ...[1, 2, 3, 4].map(() => eraseDue(store, { limit: 3 })),
  ]);
  expect(
    kinds.filter((kind) => !['queued', 'applied', 'erased', 'not_found', 'settled'].includes(kind)),
  ).toEqual([]);
  for (const [index, id] of ids.entries()) {
    const went = ['queued', 'applied'].includes(kinds[index] ?? '');
    if (went) expect(await isErased(id), id).toBe(false);
    const [row] = await sql<{ open: number; empty: number }>(
      `select count(*) filter (where done_at is null)::int as open,
         count(*) filter (where destination = '' or request.input = '' or result.body = '')::int as empty
       from request join delivery on delivery.request_id = request.id
         join result on result.request_id = request.id and result.version = delivery.version
       where request.id = $1`,
      [id],
    );
    if (went) expect(row, id).toEqual({ open: 1, empty: 0 });
    else expect(row?.open, id).toBe(0);
  }
});

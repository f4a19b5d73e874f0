import { beforeAll, expect, test, vi } from 'vitest';
import { agedTo, DAY_MS } from '../../test/ground/an-aged-request.ts';
import { breakOff } from '../../test/ground/break-off.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { orphans } from '../../test/ground/orphans.ts';
import { aFinishedAttempt, aFinishedRequest, anAccount, claimDue } from '../../test/ground/stages.ts';
import { theDeliveries, theResult } from '../../test/ground/the-stored.ts';
import { whileHeld } from '../../test/ground/while-held.ts';
import { finishAttempts, getRequest, listRequests } from '../index.ts';
import { issuedIdAt } from '../issued-id.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { dropMonth } from './drop-month.ts';
import { makeMonths } from './make-months.ts';
import { type Month, monthAfter, startOf } from './month.ts';
import { boundOf, MONTHLY_TABLES, partitionOf } from './monthly-tables.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const caller = await anAccount(store);
const bulk = await anAccount(store);
let oldest: Month;
let second: Month;

/** More than two statements remove. */
const BULK_COUNT = 2_003;

// Requests were divided a month after all that is about them: their first table holds two months.
beforeAll(async () => {
  [oldest = '0000-01', second = '0000-01'] = await monthsPassed(stores, 3);
  await makeMonths(connectionString);
  const first = partitionOf('request', second);
  await sql(`alter table request detach partition ${first}`);
  await sql(`drop table ${partitionOf('request', oldest)}`);
  await sql(
    `alter table request attach partition ${first} for values from (minvalue)
     to ('${boundOf({ prefix: 'req' }, monthAfter(second))}')`,
  );
}, 60_000);

const drop = (month: Month, dryRun = false) =>
  dropMonth(connectionString, { month, withAudit: false, dryRun, now: Date.now() + 4 * DAY_MS });

/** A delivered request of a time; its delivery has an id of today. */
async function finishedAt(ms: number): Promise<string> {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await finishAttempts(
    store,
    (await claimDue(store)).map((lease) => aFinishedAttempt(lease)),
  );
  return agedTo(stores, requestId, ms);
}

/** Many delivered requests of a month, copied from one: their sealed values do not open. */
async function manyIn(month: Month, model: string): Promise<void> {
  const at = (kind: 'req' | 'msg') => issuedIdAt(kind, startOf(month) + DAY_MS).slice(0, -6);
  const id = (kind: 'req' | 'msg') => `'${at(kind)}' || lpad(n::text, 6, '0')`;
  const copies = `generate_series(1, ${BULK_COUNT}) n`;
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version, received_at)
     select ${id('req')}, $2, payer_id, payer_name, input, outcome, delivery, version, $3 from request, ${copies}
     where id = $1`,
    [model, bulk.accountId, new Date(startOf(month) + DAY_MS)],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
    [model],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, status, done_at)
     select ${id('msg')}, ${id('req')}, version, $2, destination, destination_host, 'delivered', now()
     from delivery, ${copies} where request_id = $1`,
    [model, bulk.accountId],
  );
  await sql(
    `insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms)
     select ${id('msg')}, 1, now(), 'succeeded', 5 from ${copies}`,
  );
  await sql(
    `insert into draft (request_id, written_by, revision, body) select ${id('req')}, 'stf_1', 1, '' from ${copies}`,
  );
}

const countOf = async (table: string, key: string, month: Month) => {
  const prefix = key === 'delivery_id' ? 'msg' : 'req';
  const [row] = await sql<{ count: number }>(
    `select count(*)::int as count from ${table} where ${key} >= $1 and ${key} < $2`,
    [boundOf({ prefix }, month), boundOf({ prefix }, monthAfter(month))],
  );
  return row?.count;
};

// Without it a month of results would go and its requests stay without one; or the requests of the month after would go
// with a table that holds both.
test('where the first table of requests holds the month after too, exactly those of the month go', async () => {
  const goneLast = await finishedAt(startOf(second) - 1);
  const goneFirst = await finishedAt(startOf(oldest) - 40 * DAY_MS);
  const keptFirst = await finishedAt(startOf(second));
  const keptLast = await finishedAt(startOf(monthAfter(second)) - 1);
  const later = await finishedAt(startOf(monthAfter(second)) + DAY_MS);
  for (const month of [oldest, second]) await manyIn(month, later);
  expect(await orphans(stores)).toEqual([]);

  // Ended when all but a few are gone; then it waits for somebody who writes what it removes.
  await breakOff(
    stores,
    [`select from request where id = '${goneLast}' for update`, 'with gone as materialized'],
    () => drop(oldest),
  );
  expect(await countOf('request', 'id', oldest)).toBe(5);
  await expect.poll(async () => (await drop(oldest, true)).kind, { timeout: 20_000 }).toBe('told');
  const dropped = await whileHeld(
    stores,
    ['update delivery set claim_count = claim_count where request_id = $1', [goneLast]],
    () => drop(oldest),
  );
  expect(dropped).toMatchObject({ kind: 'dropped' });
  expect(dropped.kind === 'dropped' && dropped.tables.map(({ name }) => name)).not.toContain(
    partitionOf('request', oldest),
  );
  for (const requestId of [goneFirst, goneLast])
    expect(await getRequest(store, { caller, requestId })).toEqual({ kind: 'not_found' });
  const { items } = await listRequests(store, { caller, limit: 10 });
  expect(items.map(({ request_id: id }) => id)).toEqual([later, keptLast, keptFirst]);
  for (const id of [later, keptLast, keptFirst]) {
    expect(await theResult(store, caller, id)).toMatchObject({ request: { request_id: id } });
    expect(await theDeliveries(store, caller, id)).toMatchObject([
      { status: 'delivered', attempts: [{ outcome: 'succeeded' }] },
    ]);
  }
  expect(await sql('select from request where id < $1', [boundOf({ prefix: 'req' }, second)])).toEqual([]);
  for (const [table, key, others] of [
    ['request', 'id', 2],
    ['result', 'request_id', 2],
    ['delivery', 'request_id', 2],
    ['draft', 'request_id', 0],
    ['delivery_attempt', 'delivery_id', 0],
  ] as const) {
    expect(await countOf(table, key, oldest), table).toBe(0);
    expect(await countOf(table, key, second), table).toBe(BULK_COUNT + others);
  }
  expect(await orphans(stores)).toEqual([]);
});

// Without it the table that held two months would stay for good, or take an id of before no more.
test('the month after goes with that table, and an id of before finds a place', async () => {
  const late = await finishedAt(startOf(oldest) + DAY_MS);
  expect(await theResult(store, caller, late)).toMatchObject({ request: { request_id: late } });
  const dropped = await drop(second);
  expect(dropped.kind === 'dropped' && dropped.tables.map(({ name }) => name).toSorted()).toEqual(
    MONTHLY_TABLES.filter(({ name }) => name !== 'access_log')
      .map(({ name }) => partitionOf(name, second))
      .toSorted(),
  );
  expect(await listRequests(store, { caller, limit: 10 })).toMatchObject({ items: [{}] });
  expect(
    await sql('select from request where id < $1', [boundOf({ prefix: 'req' }, monthAfter(second))]),
  ).toEqual([]);
  expect(await orphans(stores)).toEqual([]);
  const again = await finishedAt(startOf(second) + DAY_MS);
  expect(await theResult(store, caller, again)).toMatchObject({ request: { request_id: again } });
});

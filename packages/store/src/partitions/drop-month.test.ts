import { createHash } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { sealAll, sealKey } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { orphans } from '../../test/ground/orphans.ts';
import { aFinishedAttempt, aFinishedRequest, anAccount, claimDue, intake } from '../../test/ground/stages.ts';
import { underLoad } from '../../test/ground/under-load.ts';
import {
  archiveMonth,
  finishAttempts,
  getDelivery,
  getRequest,
  getResult,
  listAudit,
  listDeliveries,
  listRequests,
  redeliver,
  verifySeals,
} from '../index.ts';
import { issuedIdAt } from '../issued-id.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { dropMonth, type MonthDrop } from './drop-month.ts';
import { listMonths } from './list-months.ts';
import { makeMonths } from './make-months.ts';
import { type Month, monthAfter, monthAt, startOf } from './month.ts';
import { MONTHLY_TABLES, partitionOf } from './monthly-tables.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const caller = await anAccount(store);
let months: Month[];
const NEVER = '0000-01';
/** When the months that passed may go. */
const now = Date.now() + 4 * 86_400_000;
const drop = (month: Month, options: Partial<MonthDrop> = {}) =>
  dropMonth(connectionString, { month, withAudit: false, dryRun: false, now, ...options });

/** Drops a month with its lines of the audit, which are archived first. */
async function dropWithAudit(month: Month) {
  const archive = await archiveMonth(store, { month });
  const sha256 = createHash('sha256');
  if (archive.kind === 'found') for await (const part of archive.parts) sha256.update(part);
  const signing = { key: sealKey, archive: sha256.digest('hex'), by: 'ann@ops1' };
  return drop(month, { withAudit: true, signing });
}

/**
 * A request that was delivered in a month, copied from one of today: its sealed values do not open. Its last delivery is
 * of the month after.
 */
async function finishedIn(
  month: Month,
  model: string,
  number: number,
): Promise<{ id: string; deliveryId: string }> {
  const suffix = (issued: string) => `${issued.slice(0, -4)}${String(number).padStart(4, '0')}`;
  const id = suffix(issuedIdAt('req', startOf(month) + 86_400_000));
  const deliveryId = suffix(issuedIdAt('msg', startOf(month) + 40 * 86_400_000));
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version, received_at)
     select $2, account_id, payer_id, payer_name, input, outcome, delivery, version, $3 from request where id = $1`,
    [model, id, new Date(startOf(month) + 86_400_000)],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select $2, version, outcome, body, digest from result where request_id = $1`,
    [model, id],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, status, done_at)
     select $3, $2, version, account_id, destination, destination_host, 'delivered', now() from delivery where request_id = $1`,
    [model, id, deliveryId],
  );
  await sql(
    `insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms) values ($1, 1, now(), 'succeeded', 5)`,
    [deliveryId],
  );
  await sql(
    `insert into access_log (at, operation, request_id, account_id) values ($1, 'requests.create', $2, $3)`,
    [new Date(startOf(month) + 86_400_000), id, caller.accountId],
  );
  return { id, deliveryId };
}

let model: string;
beforeAll(async () => {
  months = await monthsPassed(stores, 3);
  await makeMonths(connectionString);
  ({ request_id: model } = await aFinishedRequest(store, caller));
  await finishAttempts(
    store,
    (await claimDue(store)).map((lease) => aFinishedAttempt(lease)),
  );
}, 60_000);

const tablesOf = (month: Month) =>
  sql<{ name: string }>('select relname as name from pg_class where relname = any ($1) order by 1', [
    MONTHLY_TABLES.map(({ name }) => partitionOf(name, month)),
  ]);

test('a month that is unknown, not the oldest, or not over stays', async () => {
  const [oldest = NEVER, second = NEVER] = months;
  expect(await drop('2001-01')).toMatchObject({
    kind: 'unknown_month',
    months: expect.arrayContaining(months),
  });
  expect(await drop(second)).toEqual({ kind: 'older_month', oldest });
  const early = startOf(second) + 1;
  expect(await drop(oldest, { now: early })).toMatchObject({ kind: 'too_early', from: expect.any(Date) });
  expect(await tablesOf(oldest)).toHaveLength(MONTHLY_TABLES.length);
});

// Without it a request of a process whose clock was wrong would go a few days after it came.
test('a month with a request that came later than its id says stays as long as that one’s', async () => {
  const [oldest = NEVER] = months;
  const { id } = await finishedIn(oldest, model, 5);
  await sql('update request set received_at = now() where id = $1', [id]);
  expect(await drop(oldest)).toEqual({
    kind: 'too_early',
    from: new Date(startOf(monthAfter(monthAt(Date.now() - 3_600_000))) + 3 * 86_400_000),
  });
  await sql('update request set received_at = $2 where id = $1', [id, new Date(startOf(oldest))]);
});

// Without it a patient's request would vanish before anybody had answered it.
test('a month with anything unfinished stays, and what it is is told', async () => {
  const [oldest = NEVER] = months;
  const { id, deliveryId } = await finishedIn(oldest, model, 1);
  await sql(`update delivery set status = 'pending', done_at = null where id = $1`, [deliveryId]);
  expect(await drop(oldest)).toEqual({
    kind: 'unfinished',
    unfinished: { requests: 0, deliveries: 1, heldOutputs: 0 },
  });
  await sql(`update delivery set status = 'delivered', done_at = now() where id = $1`, [deliveryId]);
  await sql(`update request set outcome = 'none', version = 0, delivery = 'none' where id = $1`, [id]);
  expect(await drop(oldest)).toEqual({
    kind: 'unfinished',
    unfinished: { requests: 1, deliveries: 0, heldOutputs: 0 },
  });
  await sql(`update request set outcome = 'complete', version = 1, delivery = 'delivered' where id = $1`, [
    id,
  ]);
  const told = await drop(oldest, { dryRun: true });
  expect(told).toMatchObject({ kind: 'told', keepingCount: 1 });
  expect(await tablesOf(oldest)).toHaveLength(MONTHLY_TABLES.length);
});

// Without it an operator would remove what a clinic was promised to be kept, and learn it from the clinic.
test('it is told how many accounts would keep requests of the month for longer', async () => {
  const [oldest = NEVER] = months;
  const keepingAt = async (days: number | null) => {
    await sql('update account set retention_days = $2 where id = $1', [caller.accountId, days]);
    return drop(oldest, { dryRun: true });
  };
  expect(await keepingAt(3)).toMatchObject({ kind: 'told', keepingCount: 0 });
  expect(await keepingAt(3_650)).toMatchObject({ kind: 'told', keepingCount: 1 });
  expect(await keepingAt(null)).toMatchObject({ kind: 'told', keepingCount: 1 });
});

/** Creates and delivers requests, each statement refusing to wait for any lock. */
const requestsCome = () =>
  underLoad(stores, '10ms', async (impatient) => {
    const clinic = await anAccount(impatient);
    return async () => {
      const request = await aFinishedRequest(impatient, clinic);
      await getRequest(impatient, { caller: clinic, requestId: request.request_id });
      await finishAttempts(
        impatient,
        (await claimDue(impatient)).map((lease) => aFinishedAttempt(lease)),
      );
      await listRequests(impatient, { caller: clinic, limit: 10 });
    };
  });

// Without it removing a month would stop the intake for as long as the longest transaction lasts, such as a backup.
test('nobody waits while a month goes, though it waits for a backup under way', async () => {
  const [oldest = NEVER, second = NEVER] = months;
  const { id, deliveryId } = await finishedIn(oldest, model, 2);
  await sql(`insert into draft (request_id, written_by, revision, body) values ($1, 'stf_1', 1, '')`, [id]);
  await sql('insert into erasure_later (account_id, request_id, since) values ($1, $2, now())', [
    caller.accountId,
    id,
  ]);
  const kept = await finishedIn(second, model, 3);
  const backup = new pg.Client({ connectionString });
  await backup.connect();
  onTestFinished(() => backup.end());
  await backup.query('set idle_in_transaction_session_timeout = 0');
  await backup.query('begin isolation level repeatable read');
  await backup.query('select from request limit 1');
  const load = requestsCome();
  await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(2);

  const dropped = drop(oldest);
  const waiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and query like 'alter table request detach%'
      and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  const before = load.count();
  await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(before + 5);
  expect(await drop(oldest)).toEqual({ kind: 'busy' });
  await backup.query('commit');
  expect(await dropped).toMatchObject({ kind: 'dropped' });
  await load.stop();

  expect((await tablesOf(oldest)).map(({ name }) => name)).toEqual([partitionOf('access_log', oldest)]);
  expect(await getRequest(store, { caller, requestId: id })).toEqual({ kind: 'not_found' });
  expect(await getResult(store, { caller, requestId: id })).toEqual({ kind: 'not_found' });
  expect(await listDeliveries(store, { caller, requestId: id })).toEqual({ kind: 'not_found' });
  expect(await getDelivery(store, { caller, deliveryId })).toEqual({ kind: 'not_found' });
  expect(await redeliver(store, { caller, requestId: id })).toEqual({ kind: 'not_found' });
  // What is about it in tables without months is gone too, as is the attempt of a delivery of the month after.
  for (const about of [
    'draft where request_id = $1',
    'erasure_later where request_id = $1',
    'work_queue where request_id = $1',
    'delivery_queue where of_request = $1',
  ])
    expect(await sql(`select from ${about}`, [id]), about).toEqual([]);
  expect(await sql('select from delivery_attempt where delivery_id = $1', [deliveryId])).toEqual([]);
  expect(await orphans(stores)).toEqual([]);
  // The audit tells of it still, and the month after holds its own.
  expect(
    (await listAudit(store, { caller: { ...caller, acrossAccounts: true }, limit: 10, requestId: id })).items
      .length,
  ).toBeGreaterThan(0);
  expect((await sql('select from request where id = $1', [kept.id])).length).toBe(1);
  expect((await sql('select from delivery_attempt where delivery_id = $1', [kept.deliveryId])).length).toBe(
    1,
  );
});

// Without it an id of before, of a clock that is wrong, would be refused once the first month is gone.
test('after it, ids of before find a place still, and the months that are left are listed', async () => {
  const [oldest = NEVER, second = NEVER, third = NEVER] = months;
  await finishedIn(oldest, model, 4);
  const listed = await listMonths(connectionString);
  expect(listed.map(({ month }) => month)).toEqual(
    expect.arrayContaining([oldest, 'earlier', second, third, 'later']),
  );
  expect(listed.find(({ month }) => month === oldest)).toMatchObject({ byteCount: 0 });
});

// Without it an interrupted removal would leave tables that nothing reads and nothing removes.
test('a removal that broke off is finished by the next one, and takes the audit when told so', async () => {
  const [oldest = NEVER, second = NEVER] = months;
  await sql(`alter table result detach partition ${partitionOf('result', second)}`);
  await sql(`drop table result_earlier`).catch(() => undefined);
  await sealAll(store);
  expect(await dropWithAudit(second)).toEqual({ kind: 'older_month', oldest });
  expect(await dropWithAudit(oldest)).toMatchObject({
    kind: 'dropped',
    tables: [{ name: partitionOf('access_log', oldest) }],
    audit: { firstSeal: 1, lastSeal: 1 },
  });
  expect(await dropWithAudit(second)).toMatchObject({ kind: 'dropped' });
  expect(await tablesOf(second)).toEqual([]);
  expect(await tablesOf(oldest)).toEqual([]);
  await intake(store, caller);
  await sealAll(store);
  const verify = (after: number) => verifySeals(store, { keys: [sealKey.verifier], after });
  expect(await verify(0)).toMatchObject({
    kind: 'verified',
    through: 2,
    dropped: [{ month: oldest }, { month: second }],
  });
  expect(await verify(1)).toMatchObject({ kind: 'verified', through: 2 });
});

import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, expect, test, vi } from 'vitest';
import { agedTo, DAY_MS } from '../../test/ground/an-aged-request.ts';
import { type Break, breakOff } from '../../test/ground/break-off.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { orphans } from '../../test/ground/orphans.ts';
import {
  aFinishedAttempt,
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimDue,
  hold,
} from '../../test/ground/stages.ts';
import { theRequest, theResult } from '../../test/ground/the-stored.ts';
import { dismissHeldOutput, finishAttempts, getRequest, getResult, listDeliveries } from '../index.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { dropMonth, type MonthDrop } from './drop-month.ts';
import { makeMonths } from './make-months.ts';
import { type Month, monthAfter, startOf } from './month.ts';
import { AUDIT, MONTHLY_TABLES, partitionOf } from './monthly-tables.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const caller = await anAccount(store);
let oldest: Month;

beforeAll(async () => {
  [oldest = '0000-01'] = await monthsPassed(stores, 2);
  await makeMonths(connectionString);
}, 60_000);

const drop = (options: Partial<MonthDrop> = {}) =>
  dropMonth(connectionString, {
    month: oldest,
    withAudit: false,
    dryRun: false,
    now: Date.now() + 4 * DAY_MS,
    ...options,
  });

/** A delivered request of a month, about which there is all that a month does not hold: its last delivery is of today. */
async function finishedIn(month: Month): Promise<string> {
  const request = await aFinishedRequest(store, caller);
  await finishAttempts(
    store,
    (await claimDue(store)).map((lease) => aFinishedAttempt(lease)),
  );
  const held = await hold(store, anOutput(request, { notes: 'Another answer.' }));
  await dismissHeldOutput(store, { caller: aPlatformCaller(), heldId: held });
  await sql(`insert into draft (request_id, written_by, revision, body) values ($1, 'stf_1', 1, '')`, [
    request.request_id,
  ]);
  return agedTo(stores, request.request_id, startOf(month) + 9 * DAY_MS);
}

// Without it a process that ends in the middle would leave results, attempts or tables that nobody finds or removes.
test('a removal that is ended again and again goes on, and leaves nothing of the month', async () => {
  const gone = await finishedIn(oldest);
  const kept = await finishedIn(monthAfter(oldest));
  const partition = (table: string) => partitionOf(table, oldest);
  const expectGone = async () => {
    expect(await getRequest(store, { caller, requestId: gone })).toEqual({ kind: 'not_found' });
    expect(await getResult(store, { caller, requestId: gone })).toEqual({ kind: 'not_found' });
    expect(await listDeliveries(store, { caller, requestId: gone })).toEqual({ kind: 'not_found' });
    expect(await theRequest(store, caller, kept)).toMatchObject({ request_id: kept, state: 'complete' });
    expect(await theResult(store, caller, kept)).toMatchObject({ request: { request_id: kept } });
  };

  const breaks: Break[] = [
    // Half detached: no statement that begins now sees it.
    ['select from request limit 1', 'alter table request detach'],
    // Detached, while all that names them is there.
    ['select from draft for update', 'delete from draft'],
    ['select from result limit 1', 'alter table result detach'],
    ['select from delivery_attempt limit 1', 'alter table delivery_attempt detach'],
    // All detached, and none removed.
    [`select from ${partition('request')} limit 1`, 'drop table'],
  ];
  for (const one of breaks) {
    await breakOff(stores, one, () => drop());
    // Its turn ends with its session.
    await expect.poll(async () => (await drop({ dryRun: true })).kind, { timeout: 20_000 }).toBe('told');
    await expectGone();
  }
  const left = await drop({ dryRun: true });
  expect(left.kind === 'told' && left.tables.map(({ name }) => name).toSorted()).toEqual(
    MONTHLY_TABLES.filter(({ name }) => name !== AUDIT)
      .map(({ name }) => partition(name))
      .toSorted(),
  );
  expect(await drop()).toMatchObject({ kind: 'dropped' });

  await expectGone();
  expect(await orphans(stores)).toEqual([]);
  expect(await sql('select request_id from held_output')).toEqual([{ request_id: kept }]);
  // Every table of a month that is there is one of a whole, and none of it is on its way out.
  const names = MONTHLY_TABLES.map(({ name }) => name).join('|');
  expect(
    await sql(
      `select relname from pg_class left join pg_inherits on inhrelid = oid
       where relkind = 'r' and relname ~ $1 and coalesce(inhdetachpending, true)`,
      [`^(${names})_(\\d{4}_\\d\\d|earlier|later)$`],
    ),
  ).toEqual([]);
  expect(
    await sql('select from pg_class where relname = any ($1)', [
      MONTHLY_TABLES.map(({ name }) => partition(name)),
    ]),
  ).toHaveLength(1); // the audit's
  expect(await drop()).toMatchObject({ kind: 'unknown_month' });
  // An id of before finds a place in every table.
  const late = await finishedIn(oldest);
  expect(await theResult(store, caller, late)).toMatchObject({ request: { request_id: late } });
});

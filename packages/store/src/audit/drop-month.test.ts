import { expect, test, vi } from 'vitest';
import { dropOf } from '../../test/ground/audit-drops.ts';
import { encryptAll, verdictOf } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { underLoad } from '../../test/ground/under-load.ts';
import { recordAccess } from '../access/record-access.ts';
import { firstIdOf, listMonths, LOG, type Month, monthAfter, monthAt, partOf } from '../months/log-parts.ts';
import { withClient } from '../testing/create-test-database.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { dropMonth } from './drop-month.ts';

vi.setConfig({ testTimeout: 60_000 });
const NEVER = '0000-01';

/** A log of three months that passed, and how lines of a month are written. */
async function aLog() {
  const stores = await openTestStores();
  const { store, sql, connectionString } = stores;
  const passed = await monthsPassed({ sql }, 3);
  const [first = NEVER, second = NEVER, third = NEVER] = passed.map(({ month }) => month);
  /** A line of a month that passed, or of the present one. */
  const write = (month?: Month) =>
    month === undefined
      ? sql(`insert into access_log (operation) values ('requests.get')`)
      : sql(`insert into access_log (id, operation) values ($1, 'requests.get')`, [firstIdOf(month)]);
  const partCount = async (month: Month) =>
    (await sql('select from pg_class where relname = $1', [partOf(month)])).length;
  const drop = dropOf(stores);
  return { stores, store, sql, connectionString, months: { first, second, third }, write, partCount, drop };
}

test('a month that is unknown, not the oldest, not over or not sealed to its end stays', async () => {
  const { store, sql, connectionString, months, write, partCount, drop } = await aLog();
  const { first, second, third } = months;
  expect(await drop('2001-01')).toMatchObject({
    kind: 'unknown_month',
    months: expect.arrayContaining([first, second, third]),
  });
  await write(first);
  expect(await drop(second)).toEqual({ kind: 'older_month', oldest: first });
  await encryptAll(store);
  expect(await drop(first)).toEqual({ kind: 'not_over' });
  await write(second);
  expect(await drop(first)).toEqual({ kind: 'unsealed' });
  // The first month is sealed, while somebody may still write a line of it: no seal of the next one is there.
  await encryptAll(store);
  expect(await drop(second)).toEqual({ kind: 'older_month', oldest: first });
  expect(await partCount(first)).toBe(1);
  expect(await drop(first)).toMatchObject({ kind: 'dropped', lines: { firstSeal: 1, lastSeal: 1 } });
  expect(await partCount(first)).toBe(0);
  // The line that records the drop is of the present month, and not sealed yet.
  expect(await dropMonth(connectionString, { month: second })).toEqual({ kind: 'unsealed' });
  expect(await sql('select from audit_drop')).toHaveLength(1);
});

// Without it a month in which nobody did anything would keep all that follow it.
test('a month without a line goes, and no record is made of it', async () => {
  const { store, sql, months, write, drop } = await aLog();
  const { first, second } = months;
  await write(second);
  await encryptAll(store);
  expect(await drop(first)).toMatchObject({ kind: 'dropped', lines: null });
  await write();
  await encryptAll(store);
  expect(await drop(second)).toMatchObject({ kind: 'dropped', lines: { firstSeal: 1, lastSeal: 1 } });
  expect(await sql('select from audit_drop')).toHaveLength(1);
  await encryptAll(store);
  expect(await verdictOf(store)).toEqual([2, 2]);
});

// Without it dropping a month would stop the intake for as long as the longest transaction lasts, such as a backup.
test('no call waits while a month goes, though it waits for a backup under way', async () => {
  const { stores, store, sql, connectionString, months, write, partCount, drop } = await aLog();
  const { first } = months;
  await write(first);
  await write();
  await encryptAll(store);
  await withClient(connectionString, async (backup) => {
    await backup.query('set idle_in_transaction_session_timeout = 0');
    await backup.query('begin isolation level repeatable read');
    await backup.query('select from access_log limit 1');
    // Each statement refuses to wait for any lock.
    const load = underLoad(
      stores,
      '10ms',
      async (impatient) => () => recordAccess(impatient.db, { caller: null, operation: 'requests.get' }),
    );
    await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(2);

    const dropped = drop(first);
    const waiting = () =>
      sql(`select from pg_stat_activity where datname = current_database() and query like 'alter table access_log detach%'
        and wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
    const before = load.count();
    await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(before + 5);
    expect(await drop(first)).toEqual({ kind: 'busy' });
    await backup.query('commit');
    expect(await dropped).toMatchObject({ kind: 'dropped' });
    await load.stop();
  });
  expect(await partCount(first)).toBe(0);
});

// Without it an older id, which a restore may bring, would be refused once the first month is gone.
test('after it, older ids still find a place, and the months that are left are listed', async () => {
  const { store, sql, connectionString, months, write, drop } = await aLog();
  const { first, second, third } = months;
  await write(first);
  await write();
  await encryptAll(store);
  const placeOf = async (id: bigint) => {
    const rows = await sql<{ place: string }>(
      `insert into access_log (id, operation) values ($1, 'x') returning tableoid::regclass::text as place`,
      [id],
    );
    return rows[0]?.place;
  };
  expect(await drop(first)).toMatchObject({ kind: 'dropped' });
  expect(await drop(second)).toMatchObject({ kind: 'dropped' });
  expect(await placeOf(firstIdOf(third) - 1n)).toBe(`${LOG}_earlier`);
  expect(await placeOf(-5n)).toBe(`${LOG}_earlier`);
  expect(await placeOf(firstIdOf(third))).toBe(partOf(third));
  await expect(sql(`truncate ${LOG}_earlier`)).rejects.toThrow('append-only');
  const present = monthAt(Date.now());
  expect((await listMonths(connectionString)).map(({ month }) => month)).toEqual([
    'earlier',
    third,
    present,
    monthAfter(present),
    monthAfter(present, 2),
    'later',
  ]);
});

import { expect, test, vi } from 'vitest';
import { dropOf, signingOf } from '../../test/ground/audit-drops.ts';
import { encryptAll, verdictOf } from '../../test/ground/audit-seals.ts';
import { type Break, breakOff } from '../../test/ground/break-off.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { dropMonth } from '../index.ts';
import { firstIdOf, LOG, partOf } from '../months/log-parts.ts';
import { monthsPassed } from '../testing/months-passed.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const drop = dropOf(stores);

// Without it a process that ends in the middle would leave a part that nothing reads and nothing removes.
test('a drop that is ended again and again continues, and leaves nothing of the month', async () => {
  const passed = await monthsPassed({ sql }, 2);
  const [first = '0000-01', second = '0000-01'] = passed.map(({ month }) => month);
  for (const id of [5n, 6n, firstIdOf(second)])
    await sql(`insert into access_log (id, operation) values ($1, 'requests.get')`, [id]);
  await sql(`insert into access_log (operation) values ('requests.get')`);
  await encryptAll(store);
  const signing = await signingOf(store, first);
  const isBrokenOff = async (one: Break) => {
    await breakOff(stores, one, () => drop(first, signing));
    // Its turn ends with its session.
    await expect
      .poll(async () => (await dropMonth(connectionString, { month: first })).kind, { timeout: 20_000 })
      .toBe('previewed');
    expect(await drop(second)).toEqual({ kind: 'older_month', oldest: first });
  };
  // Before it is signed.
  await isBrokenOff(['lock table audit_drop in exclusive mode', 'insert into "audit_drop"']);
  expect(await verdictOf(store)).toEqual([3, 4]);
  // Signed and half detached: no statement that begins now sees it. Then on the way to the other half.
  await isBrokenOff([`select from ${LOG} limit 1`, `alter table ${LOG} detach`]);
  await isBrokenOff([`select from ${partOf(first)} limit 1`, `alter table ${LOG} detach`]);
  expect(await verdictOf(store)).toEqual([2, 2]);
  // Detached, while nothing takes older ids. Then all but removed.
  await sql(`alter table ${LOG} detach partition ${partOf(first)} finalize`);
  await isBrokenOff([`select from ${partOf(first)} limit 1`, 'drop table']);
  const [signed] = await sql<{ note: string }>('select note from audit_drop');
  expect(await drop(first, signing)).toMatchObject({
    kind: 'dropped',
    lines: { firstId: 5n, lastId: 6n, signed: { note: signed?.note } },
  });
  expect(await sql('select from audit_drop')).toHaveLength(1);

  // Every table of a month is a part of the log, and none is on its way out.
  expect(
    await sql(
      `select relname from pg_class left join pg_inherits on inhrelid = oid
       where relkind = 'r' and relname ~ '^access_log_' and (inhdetachpending is distinct from false or relname = $1)`,
      [partOf(first)],
    ),
  ).toEqual([]);
  // An older id finds a place.
  const [late] = await sql<{ place: string }>(
    `insert into access_log (id, operation) values (7, 'x') returning tableoid::regclass::text as place`,
  );
  expect(late?.place).toBe(`${LOG}_earlier`);
  await encryptAll(store);
  expect(await verdictOf(store)).toEqual(['lines_added', 2]);
});

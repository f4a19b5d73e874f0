import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { firstIdOf, LOG, partOf, monthAfter, monthAt, startOf } from './log-parts.ts';
import { countMonthsAhead, makeMonths } from './make-months.ts';
vi.setConfig({ testTimeout: 30_000 });

/** The month of the first start. */
const first = monthAt(Date.now());
/** A time within a later month. */
const inMonth = (count: number) => startOf(monthAfter(first, count)) + 1;

async function aLog() {
  const { sql, connectionString } = await openTestStores();
  const placeOf = async (id?: bigint) => {
    const [row] = await sql<{ id: string; place: string }>(
      `insert into access_log (id, operation) values (coalesce($1, nextval('access_log_id')), 'requests.get')
       returning id, tableoid::regclass::text as place`,
      [id === undefined ? null : String(id)],
    );
    return [BigInt(row?.id ?? 0), row?.place];
  };
  return { sql, connectionString, placeOf };
}

// Without it all that is written after the first months would end up in one part, which can never be dropped.
test('the months up to two ahead get a part, once, by one of several processes', async () => {
  const { connectionString } = await aLog();
  expect(await countMonthsAhead(connectionString)).toBe(2);
  const now = inMonth(2);
  const runs = await Promise.all([makeMonths(connectionString, now), makeMonths(connectionString, now)]);
  const after = await makeMonths(connectionString, now); // what a run left to the other
  expect([...runs.flat(), ...after]).toEqual([partOf(monthAfter(first, 3)), partOf(monthAfter(first, 4))]);
  expect(await makeMonths(connectionString, now)).toEqual([]);
  expect(await countMonthsAhead(connectionString, now)).toBe(2);
});

// Without it a month's part would hold lines of another, and could not go without them.
test('ids continue at a month’s first when it begins, and never back', async () => {
  const { connectionString, placeOf } = await aLog();
  expect(await placeOf()).toEqual([1n, partOf(first)]);
  await makeMonths(connectionString);
  expect(await placeOf()).toEqual([2n, partOf(first)]);
  const next = monthAfter(first);
  await Promise.all([makeMonths(connectionString, inMonth(1)), makeMonths(connectionString, inMonth(1))]);
  await makeMonths(connectionString, inMonth(1));
  expect(await placeOf()).toEqual([firstIdOf(next), partOf(next)]);
  await makeMonths(connectionString, inMonth(1));
  await makeMonths(connectionString, inMonth(0)); // a process whose clock is behind
  expect(await placeOf()).toEqual([firstIdOf(next) + 1n, partOf(next)]);
});

// Without it a line would be refused, and the call that it is about.
test('every id has a place: its month, the first one, or the last part', async () => {
  const { placeOf } = await aLog();
  const next = monthAfter(first);
  for (const [id, place] of [
    [firstIdOf(next), partOf(next)],
    [firstIdOf(next) - 1n, partOf(first)],
    [-(2n ** 63n), partOf(first)],
    [2n ** 63n - 1n, `${LOG}_later`],
  ] as const)
    expect(await placeOf(id)).toEqual([id, place]);
});

// Without it vacuum would come too late in a new month, and its lines could be changed behind the log's back.
test('a new month has the settings, indexes and guards of the others', async () => {
  const { sql, connectionString } = await aLog();
  await makeMonths(connectionString, inMonth(1));
  const parts = [0, 1, 2, 3].map((count) => partOf(monthAfter(first, count)));
  const rows = await sql<{ options: string; index_count: number; trigger_count: number }>(
    `select distinct reloptions::text as options,
       (select count(*)::int from pg_index where indrelid = pg_class.oid) as index_count,
       (select count(*)::int from pg_trigger where tgrelid = pg_class.oid) as trigger_count
     from pg_class where relname = any ($1)`,
    [[...parts, `${LOG}_later`]],
  );
  expect(rows).toEqual([
    { options: expect.stringContaining('autovacuum'), index_count: 5, trigger_count: 1 },
  ]);
  await expect(sql(`truncate ${parts.at(-1)}`)).rejects.toThrow('access_log is append-only');
});

// Without it months in which nobody could make parts would end in one that takes all that follows, for good.
test('after months without a service each gets its part, and ids continue in the present one', async () => {
  const { connectionString, placeOf } = await aLog();
  await placeOf();
  const made = await makeMonths(connectionString, inMonth(6));
  expect(made).toEqual([3, 4, 5, 6, 7, 8].map((count) => partOf(monthAfter(first, count))));
  expect(await placeOf()).toEqual([firstIdOf(monthAfter(first, 6)), partOf(monthAfter(first, 6))]);
});

// Without it a line that somebody put in by hand would keep all later lines in the month that has a part already.
test('ids continue also where the next part cannot be made', async () => {
  const { connectionString, placeOf } = await aLog();
  await placeOf(firstIdOf(monthAfter(first, 3)) + 5n);
  await expect(makeMonths(connectionString, inMonth(1))).rejects.toThrow();
  expect(await placeOf()).toEqual([firstIdOf(monthAfter(first)), partOf(monthAfter(first))]);
});

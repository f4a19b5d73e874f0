import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount } from '../../test/ground/stages.ts';
import { issuedIdAt } from '../issued-id.ts';
import { countMonthsAhead, makeMonths } from './make-months.ts';
import { type Month, monthAfter, monthAt, startOf } from './month.ts';
import { boundOf, MONTHLY_TABLES, partitionOf } from './monthly-tables.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, sql, connectionString } = await openTestStores();
const caller = await anAccount(store);
const { request_id: model } = await aFinishedRequest(store, caller);

/** The result of a request of a time to come, or of none; its sealed values do not open. */
const insertOf = (id: string) =>
  sql(
    `insert into result (request_id, version, outcome, body, digest)
     select $2, version, outcome, body, digest from result where request_id = $1`,
    [model, id],
  );
const placeOf = async (id: string) =>
  (
    await sql<{ place: string }>(
      'select tableoid::regclass::text as place from result where request_id = $1',
      [id],
    )
  )[0]?.place;

/** The newest month that has tables after the migration: this one, or the next in the last week of this one. */
const first = monthAt(Date.now() + 7 * 86_400_000);
const months = (now: number) => {
  const last = monthAfter(monthAt(now), 2);
  const wanted: Month[] = [];
  for (let month = monthAfter(first); month <= last; month = monthAfter(month)) wanted.push(month);
  return wanted;
};
const now = Date.now();
const NEVER = '0000-01';

// Without it all that is written after the first month would end up in one table, which can never be removed.
test('the months up to two ahead get tables, once, by one of several processes', async () => {
  const runs = await Promise.all([makeMonths(connectionString, now), makeMonths(connectionString, now)]);
  const wanted = MONTHLY_TABLES.flatMap(({ name }) => months(now).map((month) => partitionOf(name, month)));
  await makeMonths(connectionString, now); // what a run left to the other
  const tables = await sql<{ name: string }>(
    'select relname as name from pg_class where relname = any ($1)',
    [wanted],
  );
  expect(tables.length).toBe(wanted.length);
  expect(new Set(runs.flat()).size).toBe(runs.flat().length);
  expect(await makeMonths(connectionString, now)).toEqual([]);
  expect(await countMonthsAhead(connectionString, now)).toBe(2);
});

// Without it a request with an id of a wrong clock, or of another maker, would be refused.
test('every id has a place: its month, the first one, or the last', async () => {
  const next = months(now)[0] ?? NEVER;
  const ids = [
    [issuedIdAt('req', startOf(next)), partitionOf('result', next)],
    [issuedIdAt('req', startOf(next) - 1), partitionOf('result', first)],
    ['req_00000000000000000000000000', partitionOf('result', first)],
    ['req_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'result_later'],
    ['anything', partitionOf('result', first)],
  ] as const;
  for (const [id, place] of ids) {
    await insertOf(id);
    expect(await placeOf(id)).toBe(place);
  }
  await sql('delete from result where request_id <> $1', [model]);
});

// Without it a result could be sent to its client twice: the table of all months has no index of its own that refuses it.
test('no month takes a second delivery of a result', async () => {
  const again = sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host)
     select id || '0', request_id, version, account_id, destination, destination_host from delivery where request_id = $1`,
    [model],
  );
  await expect(again).rejects.toThrow('duplicate key value');
});

// Without it vacuum would come too late in a new month, and the audit could be changed behind the table's back.
test('a new month has the settings, indexes and guards of the others', async () => {
  for (const { name } of MONTHLY_TABLES) {
    const parts = [first, ...months(now)].map((month) => partitionOf(name, month));
    const rows = await sql<{ options: string; index_count: number; trigger_count: number }>(
      `select distinct reloptions::text as options,
         (select count(*)::int from pg_index where indrelid = pg_class.oid) as index_count,
         (select count(*)::int from pg_trigger where tgrelid = pg_class.oid) as trigger_count
       from pg_class where relname = any ($1)`,
      [[...parts, `${name}_later`]],
    );
    expect(rows, name).toHaveLength(1);
  }
  const log = partitionOf('access_log', months(now)[0] ?? NEVER);
  await expect(sql(`truncate ${log}`)).rejects.toThrow('append-only');
});

// Without it months in which nobody could make tables would end in one that takes all that follows, for good.
test('when time has come to the last tables, they become the month’s with all they hold', async () => {
  const later = startOf(monthAfter(first, 6)) + 1;
  const id = issuedIdAt('req', later);
  await insertOf(id);
  const made = await makeMonths(connectionString, later);
  expect(await placeOf(id)).toBe(partitionOf('result', monthAt(later)));
  expect(made).toContain(partitionOf('result', monthAfter(monthAt(later), 2)));
  expect(await countMonthsAhead(connectionString, later)).toBe(2);
  const bounds = await sql<{ bound: string }>(
    `select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'result_later'`,
  );
  expect(bounds[0]?.bound).toContain(boundOf({ prefix: 'req' }, monthAfter(monthAt(later), 3)));
  expect(await makeMonths(connectionString, later)).toEqual([]);
});

// Without it one id of a wrong clock would keep a service from ever having a next month.
test('rows of a time to come stay where they are, and the month is made before them', async () => {
  const after = startOf(monthAfter(first, 7)) + 1;
  await insertOf('req_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  const made = await makeMonths(connectionString, after);
  expect(made).toContain(partitionOf('result', monthAfter(monthAt(after), 2)));
  expect(await placeOf('req_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe('result_later');
});

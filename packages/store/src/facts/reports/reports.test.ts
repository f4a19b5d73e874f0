import { expect, test, vi } from 'vitest';
import { aHistory } from '../../../test/ground/a-history.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../../test/ground/stages.ts';
import { ROUTE } from '../../../test/ground/work-queue.ts';
import {
  countFacts,
  reportHeld,
  reportQueue,
  reportReasons,
  reportRequests,
  reportTimes,
} from '../../index.ts';
import { QUANTILE_ERROR } from '../bucket.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const [mine, others] = [await anAccount(store), await anAccount(store)];
const sandboxed = await anAccount(store, { mode: 'test' });
const HOUR_MS = 3_600_000;

/** Four days that end with the current hour. */
const until = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
const range = { from: new Date(until.getTime() - 96 * HOUR_MS), until, step: 'day', zone: 'UTC' } as const;
const operator = aPlatformCaller();

await aHistory(stores, {
  accountIds: [mine, others, sandboxed].map(({ accountId }) => accountId),
  prefix: 'r',
  count: 900,
});
await countFacts(store, { spanSeconds: 864_000, settledSeconds: 0 });

async function one<Row extends Record<string, unknown>>(text: string, accountId: string | null) {
  const [row] = await sql<Row>(text, [accountId]);
  if (!row) throw new Error('No row.');
  return row;
}

const LIVE = `($1::text is null and account_id in (select id from account where mode = 'live') or account_id = $1)`;

// Without it a provider would read others' numbers, or an operator's would leave some out.
test('requests are reported by step: of one account, of all live ones, of nobody out of reach', async () => {
  for (const [options, accountId] of [
    [{ caller: mine }, mine.accountId],
    [{ caller: operator, accountId: mine.accountId }, mine.accountId],
    [{ caller: operator }, null],
  ] as const) {
    const report = await reportRequests(store, { ...options, ...range });
    if (report.kind !== 'reported') throw new Error(report.kind);
    const sum = (field: 'received_count' | 'completed_count' | 'not_verified_count') =>
      report.items.reduce((total, item) => total + item[field], 0);
    expect([sum('received_count'), sum('completed_count'), sum('not_verified_count')]).toEqual(
      Object.values(
        await one(
          `select count(*)::int as received, count(*) filter (where outcome = 'complete')::int as completed,
             count(*) filter (where outcome = 'error_verifying')::int as missed
           from request where ${LIVE}`,
          accountId,
        ),
      ),
    );
    expect(report.items.map(({ at }) => at)).toEqual(
      [...new Set(report.items.map(({ at }) => `${at.slice(0, 10)}T00:00:00.000Z`))].toSorted(),
    );
    expect(report.items.length).toBeGreaterThanOrEqual(4);
    expect(report.counted_until).toMatch(/Z$/);
  }
  const outOfReach = [
    { caller: mine, accountId: others.accountId },
    { caller: operator, accountId: 'acct_01jdabcdefghjkmnpqrstvwxyz' },
    { caller: aPlatformCaller('test'), accountId: mine.accountId },
  ];
  for (const options of outOfReach)
    expect(await reportRequests(store, { ...options, ...range })).toEqual({ kind: 'not_found' });
});

// Without it a day would begin at another hour than the reader's.
test('days begin in the zone of the reader, and an hour belongs to the day that it begins in', async () => {
  for (const [zone, hour] of [
    ['America/Chicago', /T0[56]:00/],
    ['Asia/Kolkata', /T18:30/],
  ] as const) {
    const report = await reportRequests(store, { caller: mine, ...range, zone });
    if (report.kind !== 'reported') throw new Error(report.kind);
    for (const { at } of report.items) expect(at).toMatch(hour);
  }
});

// Without it a percentile in a report could be anything.
test('quantiles are within the error of the exact ones, counts are exact', async () => {
  const report = await reportTimes(store, { caller: operator, of: 'result', ...range });
  if (report.kind !== 'reported') throw new Error(report.kind);
  const exact = await sql<{
    group: string | null;
    count: number;
    within: number;
    p50: number;
    p90: number;
    p99: number;
  }>(
    `with took as (
       select attempt.channel as "group", (extract(epoch from applied_at - received_at) * 1000)::bigint::float8 as ms
       from result join request on request.id = result.request_id join verification_attempt as attempt
         on attempt.request_id = result.request_id and attempt.result_version = result.version
       where result.version = 1 and request.account_id in (select id from account where mode = 'live')
     )
     select "group", count(*)::int as count, count(*) filter (where ms <= 20000)::int as within,
       percentile_disc(0.5) within group (order by ms) as p50, percentile_disc(0.9) within group (order by ms) as p90,
       percentile_disc(0.99) within group (order by ms) as p99
     from took group by 1 order by coalesce("group", '')`,
  );
  expect(exact.length).toBe(2);
  expect(
    report.totals.map(({ group, count, within_20_seconds_count }) => [group, count, within_20_seconds_count]),
  ).toEqual(exact.map(({ group, count, within }) => [group, count, within]));
  for (const [index, total] of report.totals.entries())
    for (const name of ['p50', 'p90', 'p99'] as const) {
      const wanted = exact[index]?.[name] ?? 0;
      expect(Math.abs((total[`${name}_ms`] ?? 0) - wanted)).toBeLessThanOrEqual(wanted * QUANTILE_ERROR + 1);
    }
  const steps = report.items.filter(({ group }) => group === 'manual_phone_call');
  expect(steps.reduce((sum, { count }) => sum + count, 0)).toBe(
    report.totals.find(({ group }) => group === 'manual_phone_call')?.count,
  );
});

test('of X12 inquiries those count that were answered within 20 seconds', async () => {
  const report = await reportTimes(store, { caller: mine, of: 'payer_answer', ...range });
  if (report.kind !== 'reported') throw new Error(report.kind);
  const rows = await sql(
    `select payer_id as "group", count(*)::int as count,
       count(*) filter (where status_code = 200 and answer is not null and duration_ms <= 20000)::int as within_20_seconds_count
     from x12_exchange where account_id = $1 group by payer_id order by payer_id`,
    [mine.accountId],
  );
  expect(
    report.totals.map(({ group, count, within_20_seconds_count }) => ({
      group,
      count,
      within_20_seconds_count,
    })),
  ).toEqual(rows);
});

test('reasons are reported with who must fix them, and webhook attempts with how they ended', async () => {
  const why = await reportReasons(store, { caller: operator, of: 'verification', ...range });
  const ends = await reportReasons(store, { caller: operator, of: 'delivery', ...range });
  if (why.kind !== 'reported' || ends.kind !== 'reported') throw new Error('not found');
  expect(Object.fromEntries(why.items.map(({ reason, fixed_by }) => [reason, fixed_by]))).toEqual({
    member_not_found: 'patient_data',
    payer_unavailable: 'payer',
    null: null,
  });
  expect(ends.items.map(({ reason }) => reason).toSorted()).toEqual(['http_error', 'succeeded', 'timeout']);
  const { count } = await one<{ count: number }>(
    `select count(*)::int as count from delivery_attempt join delivery on delivery.id = delivery_id where ${LIVE}`,
    null,
  );
  expect(ends.items.reduce((sum, item) => sum + item.count, 0)).toBe(count);
});

test('what is held is reported by step, and what is open now', async () => {
  const report = await reportHeld(store, { caller: operator, ...range });
  if (report.kind !== 'reported') throw new Error(report.kind);
  const open = await sql(
    `select reason, count(*)::int as open_count from held_output where status = 'held' group by reason order by reason`,
  );
  expect(report.open.map(({ reason, open_count }) => ({ reason, open_count }))).toEqual(open);
  expect(report.items.reduce((sum, { held_count: held }) => sum + held, 0)).toBeGreaterThan(30);
});

test('what waits is reported by payer and channel, of one account or of all', async () => {
  const before = await reportQueue(store, { caller: mine, routes: [ROUTE] });
  await intake(store, mine);
  const after = await reportQueue(store, { caller: mine, routes: [ROUTE] });
  if (before.kind !== 'reported' || after.kind !== 'reported') throw new Error('not found');
  const waiting = ({ items }: typeof before) => items.reduce((sum, item) => sum + item.waiting_count, 0);
  expect(waiting(after)).toBe(waiting(before) + 1);
  expect(after.items.every(({ channel }) => channel === null)).toBe(true);
  await intake(store, others);
  const all = await reportQueue(store, { caller: operator, routes: [ROUTE] });
  expect(all.kind === 'reported' && waiting(all)).toBeGreaterThan(waiting(after));
});

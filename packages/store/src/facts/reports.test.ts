import { type ReportRow, ReportSubject } from '@insurance-verification/schema';
import { expect, test, vi } from 'vitest';
import { aHistory } from '../../test/ground/a-history.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../test/ground/stages.ts';
import { ROUTE } from '../../test/ground/work-queue.ts';
import type { Caller } from '../access/caller.ts';
import { countFacts, readReport } from '../index.ts';
import { QUANTILE_ERROR } from './histogram.ts';
import type { ReportOptions } from './read-report.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const [mine, others] = [await anAccount(store), await anAccount(store)];
const sandboxed = await anAccount(store, { mode: 'test' });
const HOUR_MS = 3_600_000;

/** Four days that end with the current hour. */
const until = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
const range = {
  from: new Date(until.getTime() - 96 * HOUR_MS),
  until,
  step: 'day',
  zone: 'UTC',
  routes: [ROUTE],
} as const;
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

async function read(options: Pick<ReportOptions, 'of' | 'caller'> & Partial<ReportOptions>) {
  const report = await readReport(store, { ...range, ...options });
  if (report.kind !== 'reported') throw new Error(report.kind);
  const { counted_until, items } = report;
  const [totals, steps] = [items.filter(({ at }) => at === null), items.filter(({ at }) => at !== null)];
  return { counted_until, totals, steps };
}

const sumOf = (rows: readonly ReportRow[], name: keyof ReportRow) =>
  rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);

const LIVE = `($1::text is null and account_id in (select id from account where mode = 'live') or account_id = $1)`;

// Without it a provider would read others' numbers, or an operator's would leave some out.
test('requests are reported by step: of one account, of all live ones, of none out of reach', async () => {
  for (const [options, accountId] of [
    [{ caller: mine }, mine.accountId],
    [{ caller: operator, accountId: mine.accountId }, mine.accountId],
    [{ caller: operator }, null],
  ] as const) {
    const report = await read({ of: 'requests', ...options });
    const names = ['received_count', 'completed_count', 'not_verified_count'] as const;
    expect(names.map((name) => sumOf(report.steps, name))).toEqual(
      Object.values(
        await one(
          `select count(*)::int as received, count(*) filter (where outcome = 'complete')::int as completed,
             count(*) filter (where outcome = 'error_verifying')::int as missed
           from request where ${LIVE}`,
          accountId,
        ),
      ),
    );
    expect(report.totals).toEqual([]);
    expect(report.steps.map(({ at }) => at)).toEqual(
      [...new Set(report.steps.map(({ at }) => `${at?.slice(0, 10)}T00:00:00.000Z`))].toSorted(),
    );
    expect(report.steps.length).toBeGreaterThanOrEqual(4);
    expect(report.counted_until).toMatch(/Z$/);
  }
  const outOfReach = [
    { caller: mine, accountId: others.accountId },
    { caller: operator, accountId: 'acct_01jdabcdefghjkmnpqrstvwxyz' },
    { caller: aPlatformCaller('test'), accountId: mine.accountId },
  ];
  for (const of of ReportSubject.options)
    for (const options of outOfReach)
      expect(await readReport(store, { of, ...options, ...range })).toEqual({ kind: 'not_found' });
});

// Without it a day would begin at another hour than the reader's.
test('days begin in the zone of the reader, and an hour belongs to the day that it begins in', async () => {
  for (const [zone, hour] of [
    ['America/Chicago', /T0[56]:00/],
    ['Asia/Kolkata', /T18:30/],
  ] as const) {
    const { steps } = await read({ of: 'requests', caller: mine, zone });
    for (const { at } of steps) expect(at).toMatch(hour);
  }
});

// Without it a percentile in a report could be anything.
test('quantiles are within the error of the exact ones, counts are exact', async () => {
  const { totals, steps } = await read({ of: 'result_times', caller: operator });
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
    totals.map(({ channel, count, within_20_seconds_count }) => [channel, count, within_20_seconds_count]),
  ).toEqual(exact.map(({ group, count, within }) => [group, count, within]));
  for (const [index, total] of totals.entries())
    for (const name of ['p50', 'p90', 'p99'] as const) {
      const wanted = exact[index]?.[name] ?? 0;
      expect(Math.abs((total[`${name}_ms`] ?? 0) - wanted)).toBeLessThanOrEqual(wanted * QUANTILE_ERROR + 1);
    }
  const byPhone = ({ channel }: ReportRow) => channel === 'manual_phone_call';
  expect(sumOf(steps.filter(byPhone), 'count')).toBe(totals.find(byPhone)?.count);
});

test('of X12 inquiries those count that were answered within 20 seconds', async () => {
  const { totals } = await read({ of: 'payer_times', caller: mine });
  const rows = await sql(
    `select payer_id, count(*)::int as count,
       count(*) filter (where status_code = 200 and answer is not null and duration_ms <= 20000)::int as within_20_seconds_count
     from x12_exchange where account_id = $1 group by payer_id order by payer_id`,
    [mine.accountId],
  );
  expect(
    totals.map(({ payer_id, count, within_20_seconds_count }) => ({
      payer_id,
      count,
      within_20_seconds_count,
    })),
  ).toEqual(rows);
});

test('reasons are reported with who must fix them, and webhook attempts with how they ended', async () => {
  const { totals: why } = await read({ of: 'failure_reasons', caller: operator });
  const { totals: ends } = await read({ of: 'delivery_reasons', caller: operator });
  expect(Object.fromEntries(why.map(({ reason, fixed_by }) => [reason, fixed_by]))).toEqual({
    member_not_found: 'patient_data',
    payer_unavailable: 'payer',
    null: null,
  });
  expect(ends.map(({ reason }) => reason).toSorted()).toEqual(['http_error', 'succeeded', 'timeout']);
  const { count } = await one<{ count: number }>(
    `select count(*)::int as count from delivery_attempt join delivery on delivery.id = delivery_id where ${LIVE}`,
    null,
  );
  expect(sumOf(ends, 'count')).toBe(count);
});

test('what is held is reported by step, and what is open now', async () => {
  const { totals, steps } = await read({ of: 'held', caller: operator });
  const open = await sql(
    `select reason, count(*)::int as open_count from held_output where status = 'held' group by reason order by reason`,
  );
  expect(totals.map(({ reason, open_count }) => ({ reason, open_count }))).toEqual(open);
  expect(sumOf(steps, 'held_count')).toBeGreaterThan(30);
});

test('what waits is reported by payer and channel, of one account or of all', async () => {
  const queueOf = async (caller: Caller) => (await read({ of: 'queue', caller })).totals;
  const before = await queueOf(mine);
  await intake(store, mine);
  const after = await queueOf(mine);
  expect(sumOf(after, 'waiting_count')).toBe(sumOf(before, 'waiting_count') + 1);
  expect(after.every(({ channel }) => channel === null)).toBe(true);
  await intake(store, others);
  expect(sumOf(await queueOf(operator), 'waiting_count')).toBeGreaterThan(sumOf(after, 'waiting_count'));
});

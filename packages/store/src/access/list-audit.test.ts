import { beforeAll, expect, test } from 'vitest';
import { openTestStores } from '../../test/open-test-stores.ts';
import { aPlatformCaller, anAccount, intake } from '../../test/stages.ts';
import { issueId } from '../issued-id.ts';
import { type AuditPage, type AuditSearch, listAudit } from './list-audit.ts';

const { store, sql } = await openTestStores();
const auditor = aPlatformCaller();

/** A line a minute since midnight, of one key in turn with another; every hundredth is a rare operation. */
const COUNT = 1_000;
const timeOf = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
beforeAll(async () => {
  await sql(
    `insert into access_log (at, key_id, account_id, operation)
     select $1::timestamptz + make_interval(mins => n), 'key_' || n % 2, 'acct_1',
       case when n % 100 = 0 then 'rare' else 'common' end
     from generate_series(0, $2 - 1) as n`,
    [timeOf(0), COUNT],
  );
  await sql(
    `insert into access_log (at, operation) select $1::timestamptz + make_interval(secs => n % 40), 'late'
     from generate_series(1, 200) as n`,
    [timeOf(3_000)],
  );
});

const search = (given: Partial<AuditSearch>) =>
  listAudit(store, auditor, { limit: 100, until: timeOf(COUNT), ...given });

/** Every page's items. */
async function all(given: Partial<AuditSearch>): Promise<AuditPage['items'][]> {
  const pages: AuditPage['items'][] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ ...given, ...(cursor !== undefined && { cursor }) });
    pages.push(page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const minutesOf = (items: AuditPage['items']) =>
  items.map(({ at }) => (at.getTime() - timeOf(0).getTime()) / 60_000);

// Without it a filter that few lines meet would read years of the log in one statement.
test('a page looks at a bounded number of lines, and the next one goes on behind them', async () => {
  const pages = await all({ operation: 'rare', scanCount: 150 });
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.some((items) => items.length === 0 || items.length === 1)).toBe(true);
  expect(minutesOf(pages.flat())).toEqual([900, 800, 700, 600, 500, 400, 300, 200, 100, 0]);
});

// Without it a page that is full to the line would lose the line after it, or tell it twice.
test.each([1, 3, 10, 99])('pages of %i have every line once', async (limit) => {
  const minutes = minutesOf((await all({ limit, since: timeOf(500), until: timeOf(600) })).flat());
  expect(minutes).toEqual(Array.from({ length: 100 }, (_, index) => 599 - index));
});

test.each([
  [0, 1, 1],
  [10, 20, 10],
  [990, 2_000, 10],
  [-500, 5, 5],
  [-500, 0, 0],
  [2_000, 3_000, 0],
])('from minute %i to minute %i there are %i lines', async (since, until, count) => {
  const lines = (await all({ operation: 'common', since: timeOf(since), until: timeOf(until) })).flat();
  const rare = (await all({ operation: 'rare', since: timeOf(since), until: timeOf(until) })).flat();
  expect(lines.length + rare.length).toBe(count);
});

// Broke nothing yet: `at` is when a line's transaction began, so the lines of a slow one lie behind later ones.
test('a line whose time lies before its place is found by its time', async () => {
  const between = { since: new Date(timeOf(3_000).getTime() + 10_000), until: timeOf(3_001) };
  expect((await all({ operation: 'late', ...between })).flat()).toHaveLength(150);
});

// Without it a test account's auditor would learn who reads which patients.
test('a test account’s auditor sees what concerns test accounts alone', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const [real, made] = [await intake(store, live), await intake(store, trial)];
  const caller = { ...aPlatformCaller('test'), keyId: issueId('key') };
  const { items } = await listAudit(store, caller, { limit: 100 });
  const ids = items.map(({ requestId }) => requestId);
  expect(ids).toContain(made.request_id);
  expect(ids).not.toContain(real.request_id);
  expect(items.every(({ accountId }) => accountId === trial.accountId)).toBe(true);
  expect((await listAudit(store, caller, { limit: 100, requestId: real.request_id })).items).toEqual([]);
});

import type { AuditLine } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, expect, test } from 'vitest';
import { encryptAll } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  aPlatformCaller,
  aWebhookSecret,
  anAccount,
  hold,
  intake,
} from '../../test/ground/stages.ts';
import { recordAccess } from '../access/record-access.ts';
import {
  applyHeldOutput,
  createAccount,
  createApiKey,
  dismissHeldOutput,
  getAccountLimits,
  getHeldOutput,
  getRequest,
  resumeAccount,
  revokeApiKey,
  searchRequests,
  setAccountLimits,
  suspendAccount,
} from '../index.ts';
import { issueId } from '../issued-id.ts';
import { type AuditSearch, listAudit } from './list-audit.ts';

const { store, sql } = await openTestStores();
const auditor = aPlatformCaller();

/** One line per minute since midnight, alternating between two keys; every hundredth is a rare operation. */
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
  listAudit(store, { caller: auditor, limit: 100, until: timeOf(COUNT), ...given });

/** Every page's items. */
async function all(given: Partial<AuditSearch>): Promise<AuditLine[][]> {
  const pages: AuditLine[][] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ ...given, ...(cursor !== undefined && { cursor }) });
    pages.push(page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const minutesOf = (items: AuditLine[]) =>
  items.map(({ at }) => (Date.parse(at) - timeOf(0).getTime()) / 60_000);

// Without it a rarely matching filter would read years of the log in one statement.
test('a page looks at a bounded number of lines, and the next one continues after them', async () => {
  const pages = await all({ operation: 'rare', scanCount: 150 });
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.some((items) => items.length === 0 || items.length === 1)).toBe(true);
  expect(minutesOf(pages.flat())).toEqual([900, 800, 700, 600, 500, 400, 300, 200, 100, 0]);
});

// Without it an exactly full page would lose the next line, or show it twice.
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

// Not a past bug: `at` is the start of a line's transaction, so the lines of a slow one come after later ones.
test('a line whose time lies before its place is found by its time', async () => {
  const between = { since: new Date(timeOf(3_000).getTime() + 10_000), until: timeOf(3_001) };
  expect((await all({ operation: 'late', ...between })).flat()).toHaveLength(150);
});

// Broke: lines were looked up by their own times, so that one line with an older time hid the hundreds before it.
test('a line that somebody gave an older time hides none', async () => {
  const { store: on, sql: write } = await openTestStores();
  const [{ now } = expect.fail()] = await write<{ now: Date }>('select now()');
  for (let count = 0; count < 3; count += 1) {
    await write(`insert into access_log (operation) select 'real' from generate_series(1, 20)`);
    await write(`insert into access_log (at, operation) values (now() - interval '20 days', 'smuggled')`);
    await write(`insert into access_log (at, operation) values (now() + interval '20 days', 'smuggled')`);
    await encryptAll(on);
  }
  const since = new Date(now.getTime() - 60_000);
  const until = new Date(now.getTime() + 60_000);
  const { items } = await listAudit(on, { caller: auditor, limit: 100, since, until });
  expect(items.filter(({ operation }) => operation === 'real')).toHaveLength(60);
  const every = await listAudit(on, { caller: auditor, limit: 100 });
  const misdated = every.items.filter((line) => line.misdated).map(({ operation }) => operation);
  expect([...new Set(misdated)]).toEqual(['smuggled']);
  // Of the first seal nothing shows how old its lines may be.
  expect(misdated).toHaveLength(5);
});

// Without it a search for an hour of last year would read all that was written since, or miss some of its lines.
test('lines are looked for only between the seals around a time', async () => {
  const { store: on, sql: write } = await openTestStores();
  const timeAt = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  for (let hour = 0; hour < 100; hour += 1) {
    await write(`insert into access_log (at, operation) select $1, 'x' from generate_series(1, 5)`, [
      new Date(timeAt(hour).getTime() + 1_000),
    ]);
    await write(`insert into audit_seal select $1, max(id), '', $2, $2, '' from access_log`, [
      hour + 1,
      new Date(timeAt(hour).getTime() + 10_000),
    ]);
  }
  for (const [hour, count] of [
    [0, 15],
    [50, 15],
    [97, 15],
    [-5, 0],
    [110, 0],
  ] as const) {
    const { items, next_cursor } = await listAudit(on, {
      caller: auditor,
      limit: 100,
      since: timeAt(hour),
      until: timeAt(hour + 3),
      scanCount: 40,
    });
    expect([items.length, next_cursor], `hour ${hour}`).toEqual([count, null]);
  }
});

// Broke: a month of a year before 1000 has fewer than four digits, and a call for one ended in 500.
test('every year that a caller may ask for is answered', async () => {
  for (const year of ['0001', '0999', '1969', '9999'])
    for (const day of ['01-01T00:00:00Z', '12-31T23:59:59Z']) {
      const at = new Date(`${year}-${day}`);
      const isPast = year !== '9999';
      expect((await all({ operation: 'rare', since: at })).flat()).toHaveLength(isPast ? 10 : 0);
      expect((await all({ operation: 'rare', until: at })).flat()).toHaveLength(isPast ? 0 : 10);
    }
});

// Without it the audit would show that an operator suspended an account, created a key or read a patient, but not
// which.
test('a line names the account, key or held output that it is about', async () => {
  const caller = await anAccount(store, { kind: 'platform' });
  const { accountId } = await anAccount(store);
  await setAccountLimits(store, { caller, accountId, quotas: {}, allowedCidrs: null });
  await getAccountLimits(store, { caller, accountId });
  await suspendAccount(store, { caller, accountId });
  await resumeAccount(store, { caller, accountId });
  const account = { name: 'x', kind: 'provider', mode: 'live', webhookSecret: aWebhookSecret() } as const;
  const made = await createAccount(store, { caller, ...account });
  const key = { caller, accountId, scopes: ['requests'], name: null, expiresAt: null } as const;
  const created = await createApiKey(store, key);
  if (made.kind !== 'created' || created.kind !== 'created') return expect.fail('They were not made.');
  await revokeApiKey(store, { caller, keyId: created.key.key_id });
  const [named, right] = [await aFinishedRequest(store, caller), await intake(store, caller)];
  const applied = await hold(store, anOutput(named, { notes: 'for the other' }), { caller });
  const stray = await hold(store, anOutput(named, { request_id: null }));
  await getHeldOutput(store, { caller, heldId: applied });
  await applyHeldOutput(store, { caller, heldId: applied, requestId: right.request_id });
  await dismissHeldOutput(store, { caller, heldId: stray });

  const about = async (subjectId: string) => {
    const { items } = await listAudit(store, { caller, limit: 100, subjectId, keyId: caller.keyId });
    expect(items.every((line) => line.subject_id === subjectId)).toBe(true);
    return items.map((line) => [line.operation, line.request_id]).toReversed();
  };
  expect(await about(accountId)).toEqual([
    ['accounts.setLimits', null],
    ['accounts.limits', null],
    ['accounts.suspend', null],
    ['accounts.resume', null],
  ]);
  expect(await about(made.account.account_id)).toEqual([['accounts.create', null]]);
  expect(await about(created.key.key_id)).toEqual([
    ['keys.create', null],
    ['keys.revoke', null],
  ]);
  expect(await about(applied)).toEqual([
    ['verificationOutput.submit', named.request_id],
    ['heldOutputs.get', named.request_id],
    ['heldOutputs.apply', named.request_id],
    ['heldOutputs.apply', right.request_id],
  ]);
  expect(await about(stray)).toEqual([['heldOutputs.dismiss', null]]);
});

// Broke: the lines of the platform's people have their own account, so a clinic's filter left out all who read its
// patients.
test('the account of a filter is that of the request, not of its reader', async () => {
  const [clinic, other] = [await anAccount(store), await anAccount(store)];
  const operator = await anAccount(store, { kind: 'platform' });
  const [theirs, foreign] = [await aFinishedRequest(store, clinic), await intake(store, other)];
  const both = { ...operator, acrossAccounts: true };
  await getRequest(store, { caller: both, requestId: theirs.request_id });
  await getRequest(store, { caller: both, requestId: foreign.request_id });
  await searchRequests(store, { caller: both, limit: 10, routes: [], accountId: clinic.accountId });
  const { items } = await listAudit(store, { caller: auditor, limit: 100, accountId: clinic.accountId });
  expect(items.every((line) => line.request_account_id === clinic.accountId)).toBe(true);
  expect(items.map((line) => [line.operation, line.account_id, line.request_id]).slice(0, 2)).toEqual([
    ['requests.search', operator.accountId, theirs.request_id],
    ['requests.get', operator.accountId, theirs.request_id],
  ]);
});

// Breaks if the line of a list of fifty no longer proved whose patients were in it.
test('a list is one line with a count, found by each request that was in it', async () => {
  const [one, two] = [await anAccount(store), await anAccount(store)];
  const requests = [await intake(store, one), await intake(store, one), await intake(store, two)];
  const requestIds = requests.map((request) => request.request_id);
  const reader = await anAccount(store, { kind: 'platform' });
  const record = (ids: string[]) =>
    recordAccess(store.db, { caller: reader, operation: 'deliveries.list', requestIds: ids });
  await record(requestIds);
  await record(requestIds.slice(0, 2));
  const found = async (asked: Partial<AuditSearch>) => {
    const page = await listAudit(store, { caller: auditor, limit: 1, keyId: reader.keyId, ...asked });
    const next = page.next_cursor;
    const rest =
      next === null
        ? []
        : (await listAudit(store, { caller: auditor, limit: 9, keyId: reader.keyId, ...asked, cursor: next }))
            .items;
    return [...page.items, ...rest].map((line) => [
      line.request_id,
      line.request_count,
      line.request_account_id,
      line.request_account_name,
    ]);
  };
  const [ofOne, ofBoth] = [
    [null, 2, one.accountId, 'Clinic'],
    [null, 3, null, null],
  ];
  expect(await found({})).toEqual([ofOne, ofBoth]);
  expect(await found({ requestId: requestIds[0] })).toEqual([ofOne, ofBoth]);
  expect(await found({ requestId: requestIds[2] })).toEqual([ofBoth]);
  expect(await found({ accountId: two.accountId })).toEqual([ofBoth]);
  expect(await found({ requestId: issueId('req') })).toEqual([]);
});

// Without it an id that PostgreSQL refuses in a text would be a 500.
test.each(['', '\0', 'acct_1', 'acct_\0', 'nonsense', issueId('req'), issueId('held')])(
  'nothing is about %j',
  async (subjectId) => {
    expect(await search({ subjectId })).toEqual({ items: [], next_cursor: null });
  },
);

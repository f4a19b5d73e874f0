import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { type BudgetRequest, removeExpired, takeRateBudget } from '../index.ts';

// A connection for each who races: one who waits for one in use gives up after 0.7 s, which is not the subject here.
const { store, rival, sql } = await openTestStores({ connectionCountMax: 30 });

let subjectCount = 0;
const ofNewSubject = (): BudgetRequest => ({
  policy: 'intake',
  subject: `acct_${(subjectCount += 1)}`,
  isAddress: false,
  quota: 7,
  windowSeconds: 60,
  need: 1,
  want: 1,
  owed: 0,
});

/** Simulates the passing of time. */
const later = (subject: string, seconds: number) =>
  sql(`update rate_budget set tat = tat - $2 * interval '1 second' where subject = $1`, [subject, seconds]);

const grantsOf = async (requests: readonly BudgetRequest[]) => {
  const grants: number[] = [];
  for (const request of requests) grants.push((await takeRateBudget(store, request)).granted);
  return grants;
};

// Without it the last unit of a quota that does not divide its window would be lost to rounding.
test('a quota of seven is seven at once, then one in each seventh of the window', async () => {
  const one = ofNewSubject();
  expect(await grantsOf(Array.from({ length: 8 }, () => one))).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
  await later(one.subject, 60 / 7);
  expect(await grantsOf([one, one])).toEqual([1, 0]);
  await later(one.subject, 3600);
  expect(await grantsOf([{ ...one, want: 100 }, one])).toEqual([7, 0]);
});

// Without it two processes would each grant a whole quota.
test('what one process takes is gone for the other, however they race', async () => {
  const one = { ...ofNewSubject(), quota: 50, windowSeconds: 3600 };
  const grants = await Promise.all(
    Array.from({ length: 60 }, (_, index) => takeRateBudget(index % 2 ? store : rival, one)),
  );
  expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(50);
});

// Without it a refused call would use up what the next one needs.
test('fewer than are needed are not given, and cost nothing', async () => {
  const one = ofNewSubject();
  expect(
    await grantsOf([
      { ...one, need: 8, want: 9 },
      { ...one, want: 5 },
    ]),
  ).toEqual([0, 5]);
  expect(
    await grantsOf([
      { ...one, need: 3, want: 3 },
      { ...one, need: 2, want: 2 },
    ]),
  ).toEqual([0, 2]);
});

test('units given back can be taken again, but never more than the quota', async () => {
  const one = ofNewSubject();
  expect(
    await grantsOf([
      { ...one, want: 7 },
      { ...one, want: 9, owed: -3 },
    ]),
  ).toEqual([7, 3]);
  expect(await grantsOf([{ ...one, want: 99, owed: -50 }])).toEqual([7]);
});

// Without it a list of a hundred rows would cost as much as one row.
test('what is owed is taken although it is not there, and is waited for', async () => {
  const one = ofNewSubject();
  expect(await takeRateBudget(store, { ...one, owed: 10 })).toMatchObject({ granted: 0 });
  await later(one.subject, (60 / 7) * 3);
  expect(await grantsOf([one])).toEqual([0]);
  await later(one.subject, 60 / 7);
  expect(await grantsOf([one, one])).toEqual([1, 0]);
});

// Without it an account whose window was shortened would be refused for as long as the old window.
test('a debt counts for two windows at most', async () => {
  const one = ofNewSubject();
  await takeRateBudget(store, { ...one, quota: 7, windowSeconds: 86_400, want: 7 });
  await takeRateBudget(store, one);
  await later(one.subject, 120 - 60);
  expect(await grantsOf([one])).toEqual([0]);
  const [row] = await sql<{ seconds: number }>(
    `select extract(epoch from tat - now())::float8 as seconds from rate_budget where subject = $1`,
    [one.subject],
  );
  expect(row?.seconds).toBeLessThanOrEqual(60);
});

// Without it every client's address would stay forever, in plain text.
test('addresses are hashed, rows that say nothing are removed, and the table is not logged', async () => {
  const stranger = { ...ofNewSubject(), subject: '203.0.113.7', isAddress: true };
  expect(await grantsOf([stranger, { ...stranger, want: 9 }])).toEqual([1, 6]);
  const kept = ofNewSubject();
  await takeRateBudget(store, { ...kept, windowSeconds: 3600 });
  const rowsOf = async () =>
    (await sql<{ subject: string }>('select subject from rate_budget')).map(({ subject }) => subject);
  expect(await rowsOf()).not.toContain('203.0.113.7');
  await sql(`update rate_budget set tat = now() - interval '1 second' where subject <> $1`, [kept.subject]);
  await removeExpired(store);
  expect(await rowsOf()).toEqual([kept.subject]);
  expect(await sql(`select relpersistence from pg_class where relname = 'rate_budget'`)).toEqual([
    { relpersistence: 'u' },
  ]);
});

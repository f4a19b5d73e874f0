import { openStore, takeRateBudget } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Ask, takeUnits } from '../../src/limits/budget.ts';

// Without it a process that decides alone would be stricter or more generous than the shared budget.
test('the statement and the rule in memory give the same', async () => {
  const { connectionString } = await createTestDatabase();
  const store = await openStore({
    connectionString,
    encryptionKey: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  });
  onTestFinished(() => store.close());
  let subjectCount = 0;
  const ask = fc.record({
    need: fc.integer({ min: 1, max: 5 }),
    want: fc.integer({ min: 5, max: 50 }),
    owed: fc.integer({ min: -20, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(
      // A unit returns after a quarter of an hour at the earliest: none does while the test runs.
      fc.integer({ min: 1, max: 90 }),
      fc.array(ask, { minLength: 1, maxLength: 8 }),
      async (quota, asks) => {
        const subject = `acct_${(subjectCount += 1)}`;
        let tatMs = 0;
        for (const each of asks) {
          const whole: Ask = { ...each, quota, windowSeconds: 86_400 };
          const ours = takeUnits(tatMs, 0, whole);
          tatMs = ours.backlogMs;
          const theirs = await takeRateBudget(store, {
            ...whole,
            policy: 'intake',
            subject,
            isAddress: false,
          });
          expect(theirs.granted).toBe(ours.granted);
          expect(Math.abs(theirs.backlogMs - ours.backlogMs)).toBeLessThan(60_000);
        }
      },
    ),
    { numRuns: 60 },
  );
});

import { expect, test } from 'vitest';
import { shareAnswer } from './rest.ts';

/** Counts how often it is asked; odd answers are failures. */
function counting() {
  const count = { asked: 0 };
  const ask = async () => {
    count.asked += 1;
    if (count.asked % 2 === 1) throw new Error(String(count.asked));
    return count.asked;
  };
  return { count, ask };
}

// Without it a stranger who probes readiness a thousand times a second would query the database as often.
test('one answer is for all who ask meanwhile and soon after, also when it is a failure', async () => {
  const { count, ask } = counting();
  const shared = shareAnswer(60_000, ask);
  const answers = await Promise.allSettled([shared(), shared(), shared()]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(shared()).rejects.toThrow('1');
  expect(count.asked).toBe(1);
});

// Without it a process would keep its first answer for good.
test('an answer that is too old is asked for again', async () => {
  const { ask } = counting();
  const shared = shareAnswer(0, ask);
  await expect(shared()).rejects.toThrow('1');
  expect(await shared()).toBe(2);
});

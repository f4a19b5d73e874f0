import { expect, onTestFinished, test, vi } from 'vitest';
import { groupCommit } from './group-commit.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Commits that the test ends by hand. */
function aGroupCommit() {
  const commits: { items: readonly number[]; end: PromiseWithResolvers<readonly string[]> }[] = [];
  const add = groupCommit<number, string>({
    commit: (items) => {
      const end = Promise.withResolvers<readonly string[]>();
      commits.push({ items, end });
      return end.promise;
    },
    failsAll: (err) => err instanceof RangeError,
  });
  const sizes = () => commits.map(({ items }) => items.length);
  const answer = (index: number) => {
    const commit = commits[index];
    commit?.end.resolve(commit.items.map((item) => `answer ${item}`));
  };
  return { commits, add, sizes, answer };
}

test('commits what arrives in one turn together', async () => {
  const { add, sizes, answer } = aGroupCommit();
  const answers = Promise.all(range(23).map(add));
  expect(sizes()).toEqual([]);
  await expect.poll(sizes).toEqual([23]);
  answer(0);
  expect(await answers).toEqual(range(23).map((item) => `answer ${item}`));
});

// Broke: the database idled until the end of a turn that reads what 64 connections sent.
test('starts a commit as soon as 24 wait, in the middle of a turn', async () => {
  const { add, sizes, answer } = aGroupCommit();
  const answers = Promise.all(range(36).map(add));
  expect(sizes()).toEqual([24]);
  await expect.poll(sizes).toEqual([24, 12]);
  for (const index of [1, 0]) answer(index);
  expect(await answers).toEqual(range(36).map((item) => `answer ${item}`));
});

test('commits 64 at most, and the next when one has ended', async () => {
  const { add, sizes, answer } = aGroupCommit();
  const answers = Promise.all(range(24 * 2 + 70).map(add));
  expect(sizes()).toEqual([24, 24]);
  answer(1);
  await expect.poll(sizes).toEqual([24, 24, 64]);
  answer(0);
  await expect.poll(sizes).toEqual([24, 24, 64, 6]);
  for (const index of [2, 3]) answer(index);
  await answers;
});

test('has two commits under way, and the next takes all that came meanwhile', async () => {
  const { add, sizes, answer } = aGroupCommit();
  const answers: Promise<string>[] = [];
  for (const count of [1, 2]) {
    answers.push(...range(count).map(add));
    await expect.poll(sizes).toHaveLength(count);
  }
  answers.push(...range(4).map(add), ...range(5).map(add));
  await new Promise(setImmediate);
  expect(sizes()).toEqual([1, 2]);
  answer(1);
  await expect.poll(sizes).toEqual([1, 2, 9]);
  for (const index of [0, 2]) answer(index);
  await Promise.all(answers);
});

test('starts a second commit where half as many wait as the one under way has', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, sizes, answer } = aGroupCommit();
  const answers = range(8).map(add);
  await new Promise(setImmediate);
  answers.push(...range(3).map(add));
  await new Promise(setImmediate);
  expect(sizes()).toEqual([8]);
  answers.push(add(3));
  await new Promise(setImmediate);
  expect(sizes()).toEqual([8, 4]);
  expect(vi.getTimerCount()).toBe(0);
  for (const index of [0, 1]) answer(index);
  await Promise.all(answers);
});

test('commits fewer once the one under way has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, sizes, answer } = aGroupCommit();
  const first = range(8).map(add);
  await new Promise(setImmediate);
  const others = range(3).map(add);
  await new Promise(setImmediate);
  answer(0);
  await Promise.all(first);
  await new Promise(setImmediate);
  expect(sizes()).toEqual([8, 3]);
  answer(1);
  await Promise.all(others);
});

// Breaks when a commit that hangs, on a connection that is gone, holds up what a second one could write.
test('commits fewer next to one that hangs, after 10 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, sizes, answer } = aGroupCommit();
  const hanging = range(8).map(add);
  await new Promise(setImmediate);
  const others = range(3).map(add);
  await new Promise(setImmediate);
  vi.advanceTimersByTime(10);
  expect(sizes()).toEqual([8, 3]);
  for (const index of [1, 0]) answer(index);
  await Promise.all([...hanging, ...others]);
});

test('reports a failure to the items of its commit, and continues with the others', async () => {
  const { add, commits, sizes, answer } = aGroupCommit();
  const refused = add(1);
  await expect.poll(sizes).toEqual([1]);
  const other = add(2);
  commits[0]?.end.reject(new TypeError('refused'));
  await expect(refused).rejects.toThrow('refused');
  await expect.poll(sizes).toEqual([1, 1]);
  answer(1);
  expect(await other).toBe('answer 2');
});

test('reports a failure that would meet the others too to all that wait', async () => {
  const { add, commits, sizes } = aGroupCommit();
  const answers = Promise.allSettled(range(24 * 2 + 5).map(add));
  expect(sizes()).toEqual([24, 24]);
  for (const { end } of commits.slice(0, 2)) end.reject(new RangeError('away'));
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(sizes()).toEqual([24, 24]);
});

test('fails a commit that answers fewer items than it was given', async () => {
  const { add, commits, sizes } = aGroupCommit();
  const answer = add(1);
  await expect.poll(sizes).toEqual([1]);
  commits[0]?.end.resolve([]);
  await expect(answer).rejects.toThrow('fewer');
});

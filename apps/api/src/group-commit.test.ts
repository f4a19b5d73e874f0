import { expect, it } from 'vitest';
import { groupCommit } from './group-commit.ts';

/** A commit that the test ends by hand, batch by batch. */
function aCommit(countMax = 3) {
  const batches: { items: readonly number[]; end: PromiseWithResolvers<readonly string[]> }[] = [];
  const add = groupCommit<number, string>({
    commit: (items) => {
      const end = Promise.withResolvers<readonly string[]>();
      batches.push({ items, end });
      return end.promise;
    },
    countMax,
    failsAll: (err) => err instanceof RangeError,
  });
  return { batches, add };
}

it('commits the first at once and alone, and those that come meanwhile together', async () => {
  const { batches, add } = aCommit();
  const answers = Promise.all([1, 2, 3, 4, 5].map(add));
  expect(batches.map(({ items }) => items)).toEqual([[1]]);
  for (const expected of [[1], [2, 3, 4], [5]]) {
    await expect.poll(() => batches.at(-1)?.items).toEqual(expected);
    batches.at(-1)?.end.resolve(expected.map((item) => `answer ${item}`));
  }
  expect(await answers).toEqual([1, 2, 3, 4, 5].map((item) => `answer ${item}`));
});

it('tells a failure to the items of its commit, and goes on with the others', async () => {
  const { batches, add } = aCommit();
  const [first, second] = [add(1), add(2)];
  batches[0]?.end.reject(new TypeError('refused'));
  await expect(first).rejects.toThrow('refused');
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.end.resolve(['answer 2']);
  expect(await second).toBe('answer 2');
});

it('tells a failure that would meet the others too to all that wait', async () => {
  const { batches, add } = aCommit(1);
  const answers = Promise.allSettled([1, 2, 3].map(add));
  batches[0]?.end.reject(new RangeError('away'));
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(batches).toHaveLength(1);
});

it('fails a commit that answers fewer items than it was given', async () => {
  const { batches, add } = aCommit();
  const answer = add(1);
  batches[0]?.end.resolve([]);
  await expect(answer).rejects.toThrow('fewer');
});

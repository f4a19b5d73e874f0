import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

// Without it fifty concurrent claims would hold every connection of the process and collide.
test('so many run at once, in the order they came, and a failure frees its place', async () => {
  const takeTurn = createSemaphore(2);
  const running = new Set<number>();
  let most = 0;
  const order: number[] = [];
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((index) =>
      takeTurn(async () => {
        order.push(index);
        running.add(index);
        most = Math.max(most, running.size);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(index);
        if (index % 2) throw new Error('failed');
        return index;
      }),
    ),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, (_, index) => (index % 2 ? 'rejected' : 'fulfilled')),
  );
});

// Without it a flood would grow a queue whose tail is served when its callers have long gone.
test('who waits for too long gives up, and holds up nobody behind', async () => {
  const takeTurn = createSemaphore(1, 20);
  const { promise: working, resolve: finish } = Promise.withResolvers<void>();
  const first = takeTurn(() => working);
  await expect(takeTurn(async () => 'never')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const third = takeTurn(async () => 'third');
  finish();
  await first;
  expect(await third).toBe('third');
  expect(await takeTurn(async () => 'fourth')).toBe('fourth');
});

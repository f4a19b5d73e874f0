import { expect, test } from 'vitest';
import { createIdempotencyGate } from './create-request.ts';

const caller = { accountId: 'acct_1', keyId: 'key_1', mode: 'live' } as const;

test('refuses a second call while the first with its key runs, and only that', async () => {
  const gate = createIdempotencyGate();
  const first = Promise.withResolvers<string>();
  const running = gate.pass(caller, 'k', () => first.promise);
  await expect(gate.pass(caller, 'k', async () => 'second')).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  });
  await expect(gate.pass(caller, 'other', async () => 'passes')).resolves.toBe('passes');
  await expect(gate.pass({ ...caller, accountId: 'acct_2' }, 'k', async () => 'passes')).resolves.toBe(
    'passes',
  );
  await expect(gate.pass(caller, null, async () => 'passes')).resolves.toBe('passes');
  first.resolve('first');
  await expect(running).resolves.toBe('first');
});

// Broke: twenty clients that waited out the same Retry-After refused each other until they ran out of retries.
test('lets retries of a call that is over pass together', async () => {
  const gate = createIdempotencyGate();
  await gate.pass(caller, 'k', async () => 'first');
  const both = Promise.withResolvers<void>();
  let runningCount = 0;
  const replay = () =>
    gate.pass(caller, 'k', async () => {
      runningCount += 1;
      if (runningCount === 2) both.resolve();
      await both.promise;
    });
  await Promise.all([replay(), replay()]);
  expect(runningCount).toBe(2);
});

test('counts a call that failed as none', async () => {
  const gate = createIdempotencyGate();
  await expect(gate.pass(caller, 'k', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expect(gate.pass(caller, 'k', async () => 'again')).resolves.toBe('again');
});

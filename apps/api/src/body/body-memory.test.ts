import { expect, test } from 'vitest';
import { BodyAllowance } from '../procedure/context/call.ts';
import { createBodyMemory } from './body-memory.ts';

const MB = 1024 * 1024;
const account = (id: string) => ({ id: `acct_${id}`, isAnonymous: false });
const anonymous = (id: string) => ({ id, isAnonymous: true });

/** How many one-megabyte bodies an owner gets in. */
function fill(
  room: ReturnType<typeof createBodyMemory>,
  owner: { id: string; isAnonymous: boolean },
): number {
  let count = 0;
  while (count < 1000 && room.take(owner, MB)) count += 1;
  return count;
}

// Without it anonymous senders' unfinished bodies, or one account's, would keep every other key's body out.
test('anonymous senders have 4 of 32 MB, each of them 2, and an account half of what the others leave', () => {
  const room = createBodyMemory({ bodyBytesMax: MB });
  expect([fill(room, anonymous('a')), fill(room, anonymous('b')), fill(room, anonymous('c'))]).toEqual([
    2, 2, 0,
  ]);
  expect([fill(room, account('a')), fill(room, account('b')), fill(room, account('c'))]).toEqual([14, 7, 3]);
});

// Broke: a tenant's live and test accounts together held all the room, and the next account's body was refused.
test('however many accounts hold as much as they may, there is room for one more body of 90 KB', () => {
  const room = createBodyMemory({ bodyBytesMax: MB });
  for (let index = 0; index < 5; index += 1) fill(room, account(String(index)));
  expect(room.take(account('another'), 90 * 1024)).toBe(true);
});

test('the largest body that is allowed fits, from any sender', () => {
  const room = createBodyMemory({ bodyBytesMax: 64 * MB });
  expect(room.take(anonymous('a'), 64 * MB)).toBe(true);
  expect(room.take(account('a'), 64 * MB)).toBe(true);
  expect(room.take(account('a'), 64 * MB)).toBe(false); // 96 is half of what the anonymous sender leaves
  expect(room.take(account('b'), 64 * MB)).toBe(true);
});

test('those that wait get in as room comes free, the first first; one too large for it lets others by', async () => {
  const room = createBodyMemory({ bodyBytesMax: MB, waitMs: 60_000 });
  fill(room, account('a'));
  const order: string[] = [];
  const waits = [
    ['two', 2 * MB],
    ['one', MB],
    ['other', MB],
  ].map(async ([name, bytes]) => {
    expect(await room.waitFor(account('a'), Number(bytes))).toBe(true);
    order.push(String(name));
  });
  room.giveBack(account('a'), MB);
  await waits[1];
  room.giveBack(account('a'), 2 * MB);
  await waits[0];
  room.giveBack(account('a'), MB);
  await Promise.all(waits);
  expect(order).toEqual(['one', 'two', 'other']);
});

test('one that waits in vain is refused', async () => {
  const room = createBodyMemory({ bodyBytesMax: MB, waitMs: 1 });
  fill(room, account('a'));
  expect(await room.waitFor(account('a'), 1)).toBe(false);
});

// Without it every body of a key that ends would scan ten thousand waiting anonymous senders.
test('beyond a hundred anonymous senders no anonymous sender waits, and keys wait all the same', async () => {
  const room = createBodyMemory({ bodyBytesMax: MB, waitMs: 60_000 });
  for (const id of ['a', 'b']) fill(room, anonymous(id));
  const held = fill(room, account('a'));
  const waits = Array.from({ length: 100 }, () => room.waitFor(anonymous('a'), 1));
  expect(await room.waitFor(anonymous('c'), 1)).toBe(false);
  const key = room.waitFor(account('a'), MB);
  room.giveBack(account('a'), MB);
  expect(await key).toBe(true);
  room.giveBack(anonymous('a'), MB);
  expect(await Promise.all(waits)).toEqual(Array(100).fill(true));
  expect(held).toBe(14);
});

// Without it the room of clients that disconnect while they wait would be lost for good.
test('what a call took comes back with its end, also what it got after that', async () => {
  const room = createBodyMemory({ bodyBytesMax: MB, waitMs: 60_000 });
  const held = fill(room, account('a'));
  const call = new BodyAllowance(room, account('a'), MB);
  const waiting = call.waitFor(MB);
  call.release();
  room.giveBack(account('a'), held * MB);
  expect(await waiting).toBe(false);
  const next = new BodyAllowance(room, account('a'), MB);
  expect(next.take(MB)).toBe(true);
  next.release();
  next.release();
  expect(fill(room, account('a'))).toBe(held);
});

import { expect, test } from 'vitest';
import { type Operation, OPERATIONS } from './index.ts';

const rows = Object.entries<Operation>(OPERATIONS);

test('names every operation by its group and its own name', () => {
  for (const [name] of rows) expect(name).toMatch(/^[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z]*$/);
});

test('gives no route to two operations', () => {
  const routes = rows.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
});

// A client that sends a read only once would fail needlessly.
test('calls every read repeatable', () => {
  const once = rows.filter(([, { method, repeatable }]) => method === 'GET' && !repeatable);
  expect(once).toEqual([]);
});

test('has an Idempotency-Key only for creates of requests and batches, and a key for all but what an anonymous sender may submit', () => {
  const namesOf = (holds: (fact: Operation) => boolean) =>
    rows.filter(([, fact]) => holds(fact)).map(([name]) => name);
  expect(namesOf(({ takesIdempotencyKey }) => takesIdempotencyKey === true)).toEqual([
    'requests.create',
    'batches.create',
  ]);
  expect(namesOf(({ scopes }) => scopes.length === 0)).toEqual(['verificationOutput.submit']);
});

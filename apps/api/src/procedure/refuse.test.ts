import { expect, test } from 'vitest';
import { toPublicError } from './problem.ts';
import { type Refusal, refuse } from './refuse.ts';

const thrown = (refusal: Refusal) => {
  try {
    return refuse(refusal);
  } catch (err) {
    return toPublicError(err);
  }
};

// Without it the store's words would reach the wire, or one refusal would be answered as another.
test('a "no" of the store is answered as its problem', () => {
  expect(thrown({ kind: 'not_found' })).toMatchObject({ code: 'not_found', headers: {} });
  expect(thrown({ kind: 'own_account' })).toMatchObject({ code: 'locks_caller_out' });
});

// Without it a client would ask again at once, and be refused again, all day.
test('how long to wait is answered where the store knows it', () => {
  expect(thrown({ kind: 'too_many_rotations', retryAfterSeconds: 70 })).toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': '70' },
  });
});

// Without it a new refusal would be an internal error until somebody met it.
test('a "no" without a row does not compile', () => {
  const unknown = { kind: 'archived' } as const;
  // @ts-expect-error: the table lacks it
  expect(() => refuse(unknown)).toThrow();
});

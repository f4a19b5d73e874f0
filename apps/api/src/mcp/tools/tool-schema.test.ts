import { expect, test } from 'vitest';
import * as z from 'zod';
import { strictObject } from './tool-schema.ts';

const refusalOf = (value: object) =>
  strictObject({ a: z.string() }).safeParse(value).error?.issues[0]?.message;

test('unknown names are listed, with the known ones', () => {
  expect(refusalOf({ a: '', lease_token: '' })).toBe(
    'Unknown: lease_token. Known here: a. What your lease knows is filled in from it.',
  );
  expect(refusalOf({ a: '', b: '' })).toBe('Unknown: b. Known here: a.');
  expect(strictObject({}).safeParse({ b: 1 }).error?.message).toContain('Known here: none.');
});

// A message holds ten thousand names of any length: the refusal must not grow with it.
test('of many names ten are shown, and of long ones the beginning', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => [`${index}${'x'.repeat(1_000)}`, 0]);
  const refusal = refusalOf({ a: '', ...Object.fromEntries(names) });
  expect(refusal).toContain('and 9990 more');
  expect(refusal?.length).toBeLessThan(1_000);
});

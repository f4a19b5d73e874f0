import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasterKey, parseMasterKeys } from './master-keys.ts';

const base64 = Buffer.alloc(32, 'secret').toString('base64');

// Without it a rotation could encrypt with the old key, or fail to read its own writes.
test('the first key encrypts, all are there', () => {
  const { current, all } = parseMasterKeys(`${createMasterKey('new')}, ${createMasterKey('old')}`);
  expect(current.id).toBe('new');
  expect([...all.keys()]).toEqual(['new', 'old']);
  expect([...all.values()].map(({ bytes }) => bytes.length)).toEqual([32, 32]);
});

// Without it two created keys could be equal.
test('a made key is random', () => {
  expect(createMasterKey('k')).not.toBe(createMasterKey('k'));
});

// Without it a typo in the environment would print the key into the log of every start.
test.each([
  ['', 'entry 1'],
  [base64, 'entry 1'],
  [`k1:${base64.slice(1)}`, 'entry 1'],
  [`k1:${base64}A`, 'entry 1'],
  [`k1:${base64.slice(0, -1)}`, 'entry 1'],
  [`:${base64}`, 'entry 1'],
  [`${'k'.repeat(33)}:${base64}`, 'entry 1'],
  [`k 1:${base64}`, 'entry 1'],
  [`k1:${base64},`, 'entry 2'],
  [`k1:${base64},k2=${base64}`, 'entry 2'],
  [`k1:${base64},k1:${base64}`, 'twice'],
])('%j is refused by position, unquoted', (text, said) => {
  const parse = () => parseMasterKeys(text);
  expect(parse).toThrow(TypeError);
  expect(parse).toThrow(said);
  expect(parse).not.toThrow(base64.slice(1, 20));
});

// The same for any other text.
test('no refusal holds five characters of what was given', () => {
  const anyKey = fc.base64String({ minLength: 30, maxLength: 60 });
  fc.assert(
    fc.property(anyKey, fc.constantFrom('', 'k:', 'k1=', ','), (key, prefix) => {
      try {
        parseMasterKeys(prefix + key);
      } catch (err) {
        expect(String(err)).not.toContain(key.slice(4, 9));
      }
    }),
  );
});

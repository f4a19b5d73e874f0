import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORMULA } from './formula.ts';

const begin = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n');
const blanks = fc.string({ unit: fc.constantFrom(' ', '\u00A0', '\uFEFF', '\u200B', '\n') });

// Broke: a dot does not match a line break, so a formula with a second line went out as it was.
test('whatever begins like a formula is one, on however many lines', () => {
  fc.assert(
    fc.property(blanks, begin, fc.string({ unit: 'binary' }), fc.string(), (before, sign, line, next) => {
      expect(FORMULA.test(`${before}${sign}${line}\n${next}`)).toBe(true);
      expect(FORMULA.test(`${before}${sign}${line}`)).toBe(true);
    }),
  );
});

test('a text that begins with a letter or a digit is none, whatever follows', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\p{L}\p{N}]$/u), fc.string({ unit: 'binary' }), (first, rest) => {
      expect(FORMULA.test(first + rest)).toBe(false);
    }),
  );
});

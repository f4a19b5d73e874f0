import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHidden, FORMULA } from './text.ts';

test.each([
  ['\u001B[2J', String.raw`\u001b[2J`],
  ['one\r\ntwo\u2028', String.raw`one\u000d\u000atwo\u2028`],
  ['\u202Eevil\u202C\u2067x\u2069\u061C', String.raw`\u202eevil\u202c\u2067x\u2069\u061c`],
  ['Jane\u{E0049}\u{E007F}', String.raw`Jane\udb40\udc49\udb40\udc7f`],
  ['a\u200B\u00AD\uFEFF\uFE0F\u{E0100}\u3164', String.raw`a\u200b\u00ad\ufeff\ufe0f\udb40\udd00\u3164`],
  ['\uFFF9a\uFFFAb\uFFFB\u180E\u2060\u2064\u0085', String.raw`\ufff9a\ufffab\ufffb\u180e\u2060\u2064\u0085`],
  ['\uD800', String.raw`\ud800`],
  ['Zoë Łukasz-Ñ 李明 ☃', 'Zoë Łukasz-Ñ 李明 ☃'],
])('%j is shown as %s', (text, shown) => {
  expect(escapeHidden(text)).toBe(shown);
});

// Breaks if a character of a newer kind passes unseen.
test('nothing hidden is left of any text, and what is seen stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = escapeHidden(text);
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(escapeHidden(shown)).toBe(shown);
    }),
  );
});

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

test('a text that begins with a letter or a digit is not a formula, whatever follows', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\p{L}\p{N}]$/u), fc.string({ unit: 'binary' }), (first, rest) => {
      expect(FORMULA.test(first + rest)).toBe(false);
    }),
  );
});

import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

/** ESC, DEL and CSI; bidirectional marks; line separators; a lone surrogate; a tag character. */
const NASTY = 'a\u0000\u001B[2J\u007F\u009B31m\u202Eb\u2028\u2066\uD800\u{E0049} ünï ☃';

// Breaks if foreign text can control a terminal, or a script reads another value than the stored one.
test('what a terminal would act on is escaped, and reads back as it was', () => {
  expect(jsonText({ nasty: NASTY })).toBe(
    String.raw`{"nasty":"a\u0000\u001b[2J\u007f\u009b31m\u202eb\u2028\u2066\ud800\udb40\udc49 ünï ☃"}`,
  );
  expect(JSON.parse(jsonText({ nasty: NASTY }))).toEqual({ nasty: NASTY });
  expect(jsonText([NASTY], 2).split('\n')).toHaveLength(3);
});

import { expect, test } from 'vitest';
import { asTyped, jsonText, typedWithout } from './terminal.ts';

const ofScript = (npm_execpath: string) => ({
  npm_lifecycle_event: 'iv',
  npm_package_name: 'insurance-verification',
  npm_execpath,
});

// Breaks if a hint names a program that the reader's shell cannot find.
test('a hint begins with the words that started the program', () => {
  const hint = 'Its attempts: iv deliveries list req_1, or `iv audit`. Driving is not iv.';
  expect(asTyped(hint, {})).toBe(hint);
  expect(asTyped(hint, ofScript('/root/.npm/_npx/9c70/node_modules/pnpm/pnpm'))).toBe(
    'Its attempts: npx -y pnpm@12 iv deliveries list req_1, or `npx -y pnpm@12 iv audit`. Driving is not iv.',
  );
  expect(asTyped(hint, ofScript('/usr/lib/pnpm/pnpm.cjs'))).toContain('attempts: pnpm iv deliveries');
  expect(asTyped(hint, ofScript('/usr/lib/node_modules/npm/bin/npm-cli.js'))).toContain(
    'attempts: npx -y pnpm@12 iv deliveries',
  );
  expect(asTyped(hint, { ...ofScript('/x'), npm_package_name: 'another' })).toBe(hint);
});

// Breaks if the hint for the next page names another list.
test('the words that were typed come back without the option, fit for a shell', () => {
  expect(typedWithout('--cursor', ['audit', '--key', 'key_1', '--cursor', 'abc', '--limit=5'])).toBe(
    'iv audit --key key_1 --limit=5',
  );
  expect(typedWithout('--cursor', ['work', '--payer', "D'Arc Dental", '--cursor=abc'])).toBe(
    String.raw`iv work --payer 'D'\''Arc Dental'`,
  );
});

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

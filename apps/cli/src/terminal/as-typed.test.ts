import { expect, test } from 'vitest';
import { asTyped, typedWithout } from './as-typed.ts';

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

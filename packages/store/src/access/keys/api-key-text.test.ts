import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApiKeyText, displayPrefix, mayBeApiKey } from './api-key-text.ts';

const mode = fc.constantFrom('live' as const, 'test' as const);

// Without it keys could be guessed, or be taken for the wrong mode.
test('a made key has its mode, 160 random bits and a checksum', () => {
  expect(createApiKeyText('live')).toMatch(/^ivk_live_[0-9a-f]{48}$/);
  expect(createApiKeyText('test')).toMatch(/^ivk_test_[0-9a-f]{48}$/);
  expect(createApiKeyText('live')).not.toBe(createApiKeyText('live'));
  expect(mayBeApiKey(createApiKeyText('live'))).toBe(true);
});

// Without it every mistyped or invented key would cost a look-up: a flood of them would load the database.
test('a key with one character changed is known to be none', () => {
  fc.assert(
    fc.property(mode, fc.nat(47), fc.integer({ min: 1, max: 15 }), (keyMode, index, by) => {
      const text = createApiKeyText(keyMode);
      const at = 9 + index;
      const changed = ((Number.parseInt(text.charAt(at), 16) + by) % 16).toString(16);
      expect(mayBeApiKey(text.slice(0, at) + changed + text.slice(at + 1))).toBe(false);
    }),
  );
});

// Without it a test key could be passed off as a live one.
test('the checksum covers the mode', () => {
  expect(mayBeApiKey(createApiKeyText('test').replace('test', 'live'))).toBe(false);
});

// Without it BOOTSTRAP_API_KEY could pass the start and never authenticate, or be refused although it is printable.
test.each([
  ['x'.repeat(20), true],
  ['~'.repeat(200), true],
  ['ivk_my_own_key_for_the_start', true],
  ['ivk_live_my_own_key_for_the_start', true],
  ['x'.repeat(19), false],
  ['x'.repeat(201), false],
  ['x'.repeat(4_000), false],
  [`${'x'.repeat(20)} y`, false],
  [`${'x'.repeat(20)}\n`, false],
  [`${'x'.repeat(20)}\0`, false],
  [`${'x'.repeat(20)}é`, false],
  [`ivk_live_${'0'.repeat(48)}`, false],
  ['', false],
])('%j may be a key: %s', (text, expected) => {
  expect(mayBeApiKey(text)).toBe(expected);
});

// Without it a list of keys would reveal enough of one to use it, or too little to tell it from another.
test('what is shown of a key is its first few characters', () => {
  expect(displayPrefix('ivk_live_0123456789')).toBe('ivk_live_0123');
  expect(displayPrefix('my-own-bootstrap-key')).toBe('my-o…');
});

import { expect, test } from 'vitest';
import { createWebhookKeyPair, createWebhookSecret } from './create-keys.ts';
import { isWebhookSecret } from './verification-keys.ts';

const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 0xfb).toString('base64')}`;

test('a created secret is one, and no two are equal', () => {
  const secrets = Array.from({ length: 100 }, createWebhookSecret);
  expect(secrets.every(isWebhookSecret)).toBe(true);
  expect(new Set(secrets).size).toBe(100);
});

test.each([
  [23, false],
  [24, true],
  [64, true],
  [65, false],
])('%i bytes: %s', (count, isSecret) => {
  expect(isWebhookSecret(ofBytes(count))).toBe(isSecret);
});

test.each([
  ['no prefix', ofBytes(32).slice(6)],
  ['another case of the prefix', ofBytes(32).replace('whsec_', 'WHSEC_')],
  ['the URL-safe alphabet', ofBytes(32).replaceAll('+', '-').replaceAll('/', '_')],
  ['no padding', ofBytes(32).replaceAll('=', '')],
  ['a line break at the end', `${ofBytes(32)}\n`],
  ['a private key', createWebhookKeyPair().privateKey],
  ['nothing', ''],
])('refuses %s', (_what, text) => {
  expect(isWebhookSecret(text)).toBe(false);
});

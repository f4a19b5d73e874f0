import { expect, test } from 'vitest';
import { isIssuedId, issueId } from './issued-id.ts';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

// Without it a page of a list could miss requests of the same millisecond, and "newest first" would be a guess.
test('ids of one process rise', () => {
  const ids = Array.from({ length: 20_000 }, () => issueId('req'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

// Without it a webhook-id could hold a dot, and its signature would cover another message's text.
test('an id is its prefix and 26 base32 characters', () => {
  expect(issueId('msg')).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

// Without it an id would not be a TypeID: other programs could not read the time of issue from it.
test('an id holds a UUIDv7 of now', () => {
  const before = Date.now();
  const digits = Array.from(issueId('key').slice('key_'.length), (digit) => DIGITS.indexOf(digit));
  const uuid = digits.reduce((bits, digit) => bits * 32n + BigInt(digit), 0n);
  const issuedAt = Number(uuid >> 80n);
  expect((uuid >> 76n) & 0xfn).toBe(7n);
  expect((uuid >> 62n) & 0x3n).toBe(2n);
  expect(issuedAt).toBeGreaterThanOrEqual(before);
  expect(issuedAt).toBeLessThanOrEqual(Date.now());
});

// Without it a malformed id would reach the database, where NUL is an error and so a 500.
test.each([
  '',
  'req_',
  'req_01h2xcejqtf2nbrexx3vqjhp4',
  'req_01h2xcejqtf2nbrexx3vqjhp411',
  'req_81h2xcejqtf2nbrexx3vqjhp41',
  'req_01H2XCEJQTF2NBREXX3VQJHP41',
  'req_01h2xcejqtf2nbrexx3vqjhp4l',
  'key_01h2xcejqtf2nbrexx3vqjhp41',
  'req_01h2xcejqtf2nbrexx3vqjhp41\n',
  'req_01h2xcejqtf2nbrexx3vqjhp4\0',
  ' req_01h2xcejqtf2nbrexx3vqjhp41',
])('%j is not the id of a request', (text) => {
  expect(isIssuedId('req', text)).toBe(false);
});

// Without it the account of the first start could not have keys.
test('the nil id has the issued form', () => {
  expect(isIssuedId('acct', 'acct_00000000000000000000000000')).toBe(true);
});

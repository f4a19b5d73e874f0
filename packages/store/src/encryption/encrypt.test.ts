import { createSecretKey, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decrypt, encrypt, DecryptionError, keyIdOf } from './encrypt.ts';

const key = { id: 7, secret: createSecretKey(randomBytes(32)) };
const PLACE = 'request.input:req_1';
const anyUnits = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

// Without it names with NUL or half an emoji, which Postgres text refuses, would be altered.
test('any JSON string comes back as it went in', () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      const opened = decrypt(key, PLACE, encrypt(key, PLACE, JSON.stringify(text)));
      expect(JSON.parse(opened.toString('utf8'))).toBe(text);
    }),
  );
});

// Without it a webhook body would not be resent byte for byte.
test('any bytes come back as they went in', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(new Uint8Array(decrypt(key, PLACE, encrypt(key, PLACE, bytes)))).toEqual(bytes);
    }),
  );
});

// Without it equal patients would show as equal bytes.
test('the same text is encrypted to other bytes each time', () => {
  expect(encrypt(key, PLACE, 'Jane')).not.toEqual(encrypt(key, PLACE, 'Jane'));
});

// Without it anyone with write access to the table could move one patient's data to another's row.
test('a value opens only where it was encrypted', () => {
  const encrypted = encrypt(key, PLACE, 'Jane');
  expect(() => decrypt(key, 'request.input:req_2', encrypted)).toThrow(DecryptionError);
  expect(() => decrypt(key, 'request.progress:req_1', encrypted)).toThrow(DecryptionError);
});

// Without it one account's data key would read another account's data.
test('a value does not open under another key', () => {
  expect(() =>
    decrypt({ id: 7, secret: createSecretKey(randomBytes(32)) }, PLACE, encrypt(key, PLACE, 'Jane')),
  ).toThrow(DecryptionError);
});

// Without it a truncated column would be an unknown error, and one such row would stop the queue.
test('a value cut short anywhere is broken', () => {
  const encrypted = encrypt(key, PLACE, 'Jane');
  for (let length = 0; length < encrypted.length; length += 1) {
    const cut = encrypted.subarray(0, length);
    expect(() => decrypt(key, PLACE, keyIdOf(cut) === key.id ? cut : encrypted.subarray(0, 0))).toThrow(
      DecryptionError,
    );
  }
});

// Without it the claim of a whole batch would fail on one row, whose "id" does not fit the queried column.
test('a key id beyond what the table can hold is broken', () => {
  const encrypted = encrypt(key, PLACE, 'Jane');
  encrypted.writeUInt32BE(0x8000_0000, 1);
  expect(() => keyIdOf(encrypted)).toThrow(DecryptionError);
});

// Without it an error in a log could reveal a patient's row or text.
test('the error of a broken value names its column only', () => {
  const broken = encrypt(key, 'request.input:req_secret', 'Jane').fill(0, 20);
  expect(() => decrypt(key, 'request.input:req_secret', broken)).toThrow(
    /^A value at request\.input cannot be decrypted\.$/,
  );
});

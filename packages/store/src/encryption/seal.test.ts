import { createSecretKey, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { open, seal, SealBrokenError, sealedBy } from './seal.ts';

const key = { id: 7, secret: createSecretKey(randomBytes(32)) };
const PLACE = 'request.input:req_1';
const anyUnits = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

// Without it names with NUL or half an emoji, which Postgres text refuses, would be altered.
test('any JSON string comes back as it went in', () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      const opened = open(key, PLACE, seal(key, PLACE, JSON.stringify(text)));
      expect(JSON.parse(opened.toString('utf8'))).toBe(text);
    }),
  );
});

// Without it a webhook body would not be resent byte for byte.
test('any bytes come back as they went in', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(new Uint8Array(open(key, PLACE, seal(key, PLACE, bytes)))).toEqual(bytes);
    }),
  );
});

// Without it equal patients would show as equal bytes.
test('the same text is sealed to other bytes each time', () => {
  expect(seal(key, PLACE, 'Jane')).not.toEqual(seal(key, PLACE, 'Jane'));
});

// Without it anyone with write access to the table could move one patient's data to another's row.
test('a value opens only where it was sealed', () => {
  const sealed = seal(key, PLACE, 'Jane');
  expect(() => open(key, 'request.input:req_2', sealed)).toThrow(SealBrokenError);
  expect(() => open(key, 'request.progress:req_1', sealed)).toThrow(SealBrokenError);
});

// Without it one account's data key would read another account's data.
test('a value does not open under another key', () => {
  expect(() =>
    open({ id: 7, secret: createSecretKey(randomBytes(32)) }, PLACE, seal(key, PLACE, 'Jane')),
  ).toThrow(SealBrokenError);
});

// Without it a truncated column would be an unknown error, and one such row would stop the queue.
test('a value cut short anywhere is broken', () => {
  const sealed = seal(key, PLACE, 'Jane');
  for (let length = 0; length < sealed.length; length += 1) {
    const cut = sealed.subarray(0, length);
    expect(() => open(key, PLACE, sealedBy(cut) === key.id ? cut : sealed.subarray(0, 0))).toThrow(
      SealBrokenError,
    );
  }
});

// Without it the claim of a whole batch would fail on one row, whose "id" does not fit the queried column.
test('a key id beyond what the table can hold is broken', () => {
  const sealed = seal(key, PLACE, 'Jane');
  sealed.writeUInt32BE(0x8000_0000, 1);
  expect(() => sealedBy(sealed)).toThrow(SealBrokenError);
});

// Without it an error in a log could reveal a patient's row or text.
test('the error of a broken value names its column only', () => {
  const broken = seal(key, 'request.input:req_secret', 'Jane').fill(0, 20);
  expect(() => open(key, 'request.input:req_secret', broken)).toThrow(
    /^A value at request\.input does not open\.$/,
  );
});

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealKey, readSealKey, readVerifierKey } from './keys.ts';
import { openNote, readSealText, type SealStatement, sealText, signNote } from './note-text.ts';
import { EMPTY_ROOT } from './tree.ts';

const seal: SealStatement = {
  origin: 'insurance-verification/audit/3fa94c21',
  treeSize: 51,
  root: EMPTY_ROOT,
  number: 2,
  firstId: 40n,
  lastId: 51n,
  at: new Date('2026-11-20T09:30:04.512Z'),
  settledAt: new Date('2026-11-20T09:30:04.498Z'),
  misdatedCount: 0,
  tables: [],
  previous: EMPTY_ROOT,
};

test('what a seal states is read from its text, of the first seal too', () => {
  expect(readSealText(sealText(seal))).toEqual(seal);
  const first = { ...seal, number: 1, firstId: 1n, settledAt: null, misdatedCount: 12, previous: null };
  expect(readSealText(sealText(first))).toEqual(first);
  const altered = { ...seal, tables: ['access_log_2026_11:trigger_off', 'staff:rules', '+3'] };
  expect(readSealText(sealText(altered))).toEqual(altered);
});

// Broke: the list of seals was a 500 for as long as somebody's change of a note stood, which it is there to show.
test.each([
  ['another word', 'seal 2', 'deal 2'],
  ['a month that no year has', 'time 2026-11', 'time 2026-13'],
  ['a settled time that no year has', 'settled 2026-11', 'settled 2026-13'],
  ['an hour that no day has', 'T09:', 'T25:'],
  ['a line more', 'previous', 'before\nprevious'],
  ['no word on its tables', 'tables as-made\n', ''],
  ['tables that are none', 'tables as-made', 'tables '],
])('a text with %s states nothing', (_, stated, forged) => {
  expect(readSealText(sealText(seal).replace(stated, forged))).toBeUndefined();
});

/** The note and the key that the documentation of Go's golang.org/x/mod/sumdb/note gives. */
const GO_KEY = readVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

const TEXT = 'insurance-verification/audit\n1\nroot\n';

// Without it other programs' keys and notes would be something else than ours.
test('a note of another program is opened by its key', () => {
  expect(openNote(GO_NOTE, [GO_KEY])).toEqual({
    kind: 'signed',
    text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  });
});

test('a note is opened by the key that signed it, among others', () => {
  const key = readSealKey(createSealKey());
  const verifier = readVerifierKey(key.verifier.text);
  expect(verifier).toMatchObject({ name: key.verifier.name, id: key.verifier.id });
  expect(openNote(signNote(TEXT, key), [GO_KEY, verifier])).toEqual({ kind: 'signed', text: TEXT });
});

test('a note is not opened by another key, nor when one letter is another', () => {
  const key = readSealKey(createSealKey());
  const note = signNote(TEXT, key);
  const other = readSealKey(createSealKey());
  expect(openNote(note, [other.verifier])).toEqual({ kind: 'unknown_key', names: [key.verifier.name] });
  expect(openNote(note.replace('root', 'rood'), [key.verifier])).toEqual({ kind: 'forged' });
  expect(openNote(note.replace(/— .*\n$/, ''), [key.verifier])).toEqual({ kind: 'forged' });
  const signature = /(\S{20})\n$/.exec(note)?.[1] ?? '';
  const twisted = signature.toLowerCase();
  expect(openNote(note.replace(signature, twisted), [key.verifier]).kind).toBe('forged');
  expect(openNote('', [key.verifier]).kind).toBe('forged');
});

test.each([
  '',
  'x',
  'name+0000',
  'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  'a+c74f20a3+AAAA',
])('%j is no verifier key', (text) => {
  expect(() => readVerifierKey(text)).toThrow(TypeError);
});

// Breaks if a key of another kind, or a public one, would be taken and fail at the first seal.
test('only an Ed25519 private key seals, and a refusal holds nothing of it', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = createPublicKey(createSealKey()).export({ type: 'spki', format: 'pem' }).toString();
  const wrong = [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicPem, 'k1:secret', ''];
  for (const text of wrong)
    expect(() => readSealKey(text)).toThrow(/^expected an Ed25519 private key as PEM/);
});

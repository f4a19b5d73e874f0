import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readSecretFiles } from './read-secret-files.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));

let fileCount = 0;
function aFile(content: string | Uint8Array): string {
  fileCount += 1;
  const path = join(folder, `secret-${fileCount}`);
  writeFileSync(path, content);
  return path;
}

test('a secret comes from its file, and what is no secret keeps its name', () => {
  const read = readSecretFiles(
    { KEY_FILE: aFile('hidden'), OTHER: 'plain', PAYERS_FILE: '/etc/payers.json' },
    ['KEY', 'OTHER'],
  );
  expect(read.environment).toEqual({ KEY: 'hidden', OTHER: 'plain', PAYERS_FILE: '/etc/payers.json' });
  expect(read.faults).toEqual([]);
  expect([read.sourceOf('KEY'), read.sourceOf('OTHER')]).toEqual(['KEY_FILE', 'OTHER']);
});

// `echo "$SECRET" > file` appends a newline, which is not part of a key or a password.
test.each([
  ['hidden\n', 'hidden'],
  ['hidden\r\n', 'hidden'],
  ['hidden', 'hidden'],
  ['two\nlines\n', 'two\nlines'],
  [' spaces \n', ' spaces '],
  ['twice\n\n', 'twice\n'],
  ['\uFEFFhidden', 'hidden'],
])('of a file with %j the secret is %j', (content, secret) => {
  expect(readSecretFiles({ KEY_FILE: aFile(content) }, ['KEY']).environment).toEqual({ KEY: secret });
});

test('an empty variable counts as absent', () => {
  const path = aFile('hidden');
  expect(readSecretFiles({ KEY: 'plain', KEY_FILE: '' }, ['KEY'])).toMatchObject({
    environment: { KEY: 'plain' },
    faults: [],
  });
  expect(readSecretFiles({ KEY: '', KEY_FILE: path }, ['KEY'])).toMatchObject({
    environment: { KEY: 'hidden' },
    faults: [],
  });
});

test('both set is a fault that names both, and neither value', () => {
  const { faults } = readSecretFiles({ KEY: 'plain', KEY_FILE: aFile('hidden') }, ['KEY']);
  expect(faults).toEqual(['KEY and KEY_FILE are both set. Set one of them.']);
});

test('a file that cannot be used is reported by variable and path, never by what it holds', () => {
  const missing = join(folder, 'missing');
  const directory = join(folder, 'directory');
  mkdirSync(directory);
  const [empty, binary] = [aFile('\n'), aFile(Uint8Array.of(0x68, 0xff, 0xfe))];
  const { faults } = readSecretFiles({ A_FILE: missing, B_FILE: directory, C_FILE: empty, D_FILE: binary }, [
    'A',
    'B',
    'C',
    'D',
  ]);
  expect(faults).toEqual([
    `A_FILE: ${missing} cannot be read (ENOENT).`,
    `B_FILE: ${directory} cannot be read (EISDIR).`,
    `C_FILE: ${empty} is empty.`,
    `D_FILE: ${binary} is not text.`,
  ]);
});

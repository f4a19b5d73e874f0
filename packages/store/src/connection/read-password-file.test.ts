import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPasswordFile } from './client-config.ts';

const owner = { host: 'db.example', port: 5432, database: 'eligibility', user: 'ann' };

function aFile(text: string, mode = 0o600) {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-passfile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'pgpass');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test('the first line that fits gives the password', async () => {
  const path = aFile(
    [
      '# the service',
      'other.example:5432:eligibility:ann:wrong',
      'db.example:5432:eligibility:ann',
      String.raw`db.example:*:eligibility:ann:a\:b\\c`,
      'db.example:5432:eligibility:ann:second',
    ].join('\n'),
  );
  expect(await readPasswordFile(path, owner)).toBe(String.raw`a:b\c`);
});

test('a Unix socket is known by its folder and as localhost', async () => {
  const socket = { ...owner, host: '/run/postgresql' };
  expect(await readPasswordFile(aFile('/run/postgresql:5432:*:ann:one\r\n'), socket)).toBe('one');
  expect(await readPasswordFile(aFile('localhost:5432:*:ann:two'), socket)).toBe('two');
});

test('a file that others may read, and one without a line, are reported', async () => {
  const open = aFile('*:*:*:*:secret', 0o640);
  await expect(readPasswordFile(open, owner)).rejects.toThrow(
    `${open} can be read by others: it needs mode 0600.`,
  );
  const other = aFile('db.example:5433:*:*:secret');
  await expect(readPasswordFile(other, owner)).rejects.toThrow(
    `${other} has no line for this host, port, database and user.`,
  );
});

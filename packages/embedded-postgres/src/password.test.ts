import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepSecret } from './password.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a secret takes the place of the one before, past what a killed program left', () => {
  const folder = aFolder();
  const file = join(folder, 'api-key');
  writeFileSync(file, 'before\n', { mode: 0o644 });
  writeFileSync(`${file}.unfinished`, 'ha', { mode: 0o644 });
  keepSecret(file, 'after');
  expect(readFileSync(file, 'utf8')).toBe('after\n');
  expect(readdirSync(folder)).toEqual(['api-key']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

// Broke: `iv keys first --replace` as root made a file that the service could not read, and its next start failed.
test.skipIf(process.getuid?.() !== 0)(
  'a secret that root keeps is the owner’s of its folder (needs root)',
  () => {
    const folder = aFolder();
    chownSync(folder, 65_534, 65_533);
    keepSecret(join(folder, 'api-key'), 'key');
    expect(statSync(join(folder, 'api-key'))).toMatchObject({ uid: 65_534, gid: 65_533 });
  },
);

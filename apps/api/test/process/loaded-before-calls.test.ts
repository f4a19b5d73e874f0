import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const textOf = (file: string) => readFileSync(src + file, 'utf8');

/** Modules whose imports are loaded before the service listens. */
const AT_START = new Set([
  'main.js',
  'http/start-http.ts',
  'process/load-for-calls.ts',
  'telemetry/log.ts',
  'telemetry/tracing.ts',
  'verification/load-verification.ts',
]);

/** The modules that a file imports while it runs, by package, or by path in `src`. */
function importedBy(file: string): string[] {
  return [...textOf(file).matchAll(/(?<!typeof )\bimport\('([^']+)'\)/g)].map(([, name = '']) =>
    name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
  );
}

const files = globSync('**/*.{ts,js}', { cwd: src }).filter((file) => !/\.test(-d)?\.ts$/.test(file));

// Without it a call whose process has no descriptor left fails on a module that no call has needed before.
test('what a call imports is loaded before the first call', () => {
  const loaded = new Set(importedBy('process/load-for-calls.ts'));
  const late = files
    .filter((file) => !AT_START.has(file))
    .flatMap((file) => importedBy(file).map((name) => ({ file, name })));
  expect(late.length).toBeGreaterThan(5);
  expect(late.filter(({ name }) => !loaded.has(name))).toEqual([]);
});

// Broke: the failure to load undici was kept, and each later attempt got it.
test('no promise of a module is kept, since it may reject', () => {
  expect(files.filter((file) => /\?\?= (await )?import\(/.test(textOf(file)))).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

const configs = globSync('{packages/*,apps/*,.ci}/vitest.config.ts', { cwd: root });
const configOf = async (path: string) =>
  ((await import(join(root, path))) as { default: { test: { maxWorkers?: number } } }).default.test;

// Broke: `vitest run <words>` ended in "different 'maxWorkers'" where the words named files of two packages.
test('every package runs with as many workers, so that one run may be of several', async () => {
  expect(configs.length).toBeGreaterThan(10);
  for (const path of configs) expect((await configOf(path)).maxWorkers, path).toBe(2);
});

// Broke: the tests of packages/testing ran by name only.
test.each(configs.filter((path) => !path.startsWith('.')))('`pnpm test` runs the tests of %s', (path) => {
  const { scripts } = JSON.parse(textOf(join(dirname(path), 'package.json'))) as {
    scripts?: Record<string, string>;
  };
  expect(scripts?.['test']).toBe('vitest run');
});

// Broke: one red package ended the run, and seven others were never reported.
test('`pnpm test` reports every package, also after a red one', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts['test']).toMatch(/ turbo run .* --continue$/);
});

// Broke: the suite was red where the download of one client failed.
test('only `test:clients` downloads', () => {
  const files = globSync('{apps,packages}/*/{src,test}/**/*.test.ts', { cwd: root });
  const downloading = files.filter((file) =>
    /install-once'|\/pip\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(downloading).toHaveLength(4);
  expect(downloading.filter((file) => !file.includes('/test/clients/'))).toEqual([]);
});

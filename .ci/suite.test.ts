import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './pages.ts';

const packages = globSync('{packages,apps}/*/tsconfig.json', { cwd: root }).map((path) =>
  join(dirname(path), 'package.json'),
);
const projects = textOf('.vitest/vitest.config.ts');
const RUNS = 'vitest run --config ../../.vitest/vitest.config.ts --project';

// Broke: the tests of packages/testing ran by name only.
test.each(packages)('the suite runs the tests of %s, and so does its own `pnpm test`', (path) => {
  const { name, scripts } = JSON.parse(textOf(path)) as { name: string; scripts?: Record<string, string> };
  expect(scripts?.['test']).toBe(`${RUNS} ${name}`);
  expect(projects).toContain(`testsOf('${name}', '${dirname(path)}'`);
});

// Broke: one red package ended the run, and seven others were never reported.
test('`pnpm test` runs the tests of all packages at once, and reports every check, also after a red one', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts['test']).toMatch(/ turbo run check:tests .* --continue$/);
  expect(scripts['check:tests']).toBe('vitest run --config .vitest/vitest.config.ts');
});

// Broke: the suite was red where the download of one client failed.
test('only `test:clients` downloads', () => {
  const files = globSync('{apps,packages}/*/{src,test}/**/*.test.ts', { cwd: root });
  const downloading = files.filter((file) =>
    /install-once'|\/pip\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(downloading).toHaveLength(6);
  expect(downloading.filter((file) => !file.includes('/test/clients/'))).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

const dist = join(folder, 'dist');

beforeAll(() => {
  execFileSync(process.execPath, [
    '--conditions=@insurance-verification/source',
    join(folder, 'build/main.ts'),
  ]);
});

/** What a browser loads before it can show anything: the entry, what it imports, and the styles. */
function firstLoad(): string[] {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  return [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
}

// A verifier's first page over a slow line.
test('the first load is at most 110 KB', () => {
  const files = firstLoad();
  // The smallest are not worth compressing.
  const sent = (file: string) => [`${file}.gz`, file].find((name) => existsSync(join(dist, name))) ?? file;
  const sizes = files.map((file) => statSync(join(dist, sent(file))).size);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110 * 1024);
});

// Several KB of first names and their short forms, which nobody but a verifier needs.
test('the rule that distinguishes patients is loaded only with the pages of work', () => {
  const files = globSync('assets/*.js', { cwd: dist });
  const holding = files.filter((file) => readFileSync(join(dist, file), 'utf8').includes('BARTHOLOMEW BART'));
  expect(holding).toHaveLength(1);
  expect(firstLoad()).not.toContain(holding[0]);
  const [name = ''] = holding.map((file) => file.replace('assets/', ''));
  const needing = files.filter((file) => readFileSync(join(dist, file), 'utf8').includes(`"./${name}"`));
  const pages = needing.map((file) => /^assets\/(.+)-.{8}\.js$/.exec(file)?.[1]);
  // The entry names every file that may be loaded later.
  expect(pages.filter((page) => page !== 'index').toSorted()).toEqual([
    'done',
    'outbox-bar',
    'send-results',
    'work-page',
    'workbench-page',
  ]);
});

// The compiler takes any name for a class: a mistyped one would show as bare text.
test('every class that a component names is in its styles', () => {
  const lost = globSync('src/**/*.tsx', { cwd: folder }).flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    return [...source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].flatMap(
      ([, name = '', path = '']) => {
        const styles = readFileSync(join(folder, dirname(file), path), 'utf8');
        const used = [...source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, one = '']) => one);
        return used.filter((one) => !styles.includes(`.${one}`)).map((one) => `${file}: ${one}`);
      },
    );
  });
  expect(lost).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** What a browser loads before it can show anything: the entry, what it imports, and the styles. */
const firstLoad = (page: string): string[] =>
  [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);

// A verifier's first page over a slow line.
test('the first load is at most 110 KB', () => {
  execFileSync(process.execPath, [
    '--conditions=@insurance-verification/source',
    join(folder, 'build/main.ts'),
  ]);
  const dist = join(folder, 'dist');
  const files = firstLoad(readFileSync(join(dist, 'index.html'), 'utf8'));
  // The smallest are not worth compressing.
  const sent = (file: string) => [`${file}.gz`, file].find((name) => existsSync(join(dist, name))) ?? file;
  const sizes = files.map((file) => statSync(join(dist, sent(file))).size);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110 * 1024);
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

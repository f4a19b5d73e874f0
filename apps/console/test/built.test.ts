import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

interface Chunk {
  readonly file: string;
  readonly isEntry?: true;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** What a browser loads before it can show anything: the entry, what it imports, and their styles. */
function firstLoad(manifest: Readonly<Record<string, Chunk>>): Set<string> {
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) add(name);
  return files;
}

// A verifier's first page over a slow line.
test('the first load is at most 110 KB', () => {
  execFileSync(process.execPath, [
    '--conditions=@insurance-verification/source',
    join(folder, 'build/main.ts'),
  ]);
  const dist = join(folder, 'dist');
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const sizes = [...firstLoad(manifest)].map((file) => statSync(join(dist, `${file}.gz`)).size);
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

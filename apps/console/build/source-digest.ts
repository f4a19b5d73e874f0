import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** What the built console is made of, from the root of the workspace; tests change nothing of it. */
const SOURCES = [
  'apps/console/{src,build}/**/*.{ts,tsx,css,js}',
  'apps/docs/{console,guides}/*.md',
  'apps/console/{index.html,package.json,vite.config.ts}',
  'packages/schema/src/**/*.ts',
  'pnpm-workspace.yaml',
];

/** Distinguishes one state of the sources from any other. Some 200 files, read in about 10 ms. */
export function sourceDigest(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/*.test.ts', '**/*.test-d.ts'] });
  for (const file of files.toSorted()) {
    hash.update(`${file}\n`);
    hash.update(readFileSync(`${root}/${file}`));
  }
  return hash.digest('base64url');
}

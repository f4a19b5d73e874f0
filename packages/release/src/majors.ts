import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages for which a changeset in a folder says `major`. */
export function majorsOf(folder: string): ReadonlySet<string> {
  const found = globSync('*.md', { cwd: folder }).flatMap((file) => {
    const [, head = ''] = /^---\n([^]*?)\n---/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    return [...head.matchAll(/^['"]?(@?[\w/-]+)['"]?:\s*major\s*$/gm)].map(([, name = '']) => name);
  });
  return new Set(found);
}

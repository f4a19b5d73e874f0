import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node's flags of `pnpm start` in a checkout. */
export function startFlagsIn(folder: string): readonly string[] {
  const file = join(folder, 'apps/api/node-flags');
  if (existsSync(file))
    return ['--conditions=@insurance-verification/source', ...readFileSync(file, 'utf8').trim().split('\n')];
  // Versions before 2026-11-26 have them in the script.
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/**
 * The flags of this version, so that measured and killed processes run the same way. Two make V8 collect sooner: while large
 * bodies flood the service it takes 260 MB, and 515 without them; the bound is 300. One puts node's own code on large pages,
 * for 6 % less CPU a request. One keeps V8 from allocating a request's objects in the old generation, as it learned to do
 * during the start: a sixth of the CPU, and 30 MB. One lets the service collect the garbage of a large body as soon as it
 * is read: 40 to 80 MB of a flood.
 */
export const startFlags = startFlagsIn(fileURLToPath(new URL('../../..', import.meta.url)));

import { readFileSync } from 'node:fs';

interface PackageJson {
  readonly scripts: { readonly start: string };
}

const workspace = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as PackageJson;

/**
 * Node's flags of `pnpm start`, so that measured and killed processes run the same way. They make V8 collect old
 * objects sooner: under load the service takes 185 MB, and 270 without them. One puts node's own code on large pages.
 */
export const startFlags: readonly string[] = workspace.scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

// Before `start`, `demo`, `iv` and `iv-mcp`: installs what they need, and no tool of the tests. Written for any Node from
// 18 on, since the one that the workspace pins may not be there yet. What it prints goes to stderr: stdout is the program's.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// A clone's lockfile is trusted as its code is: `pnpm test` holds every change of it to `minimumReleaseAge`, which takes a
// question to the registry per package, 10 s together.
const first = ['install', '--prod', '--frozen-lockfile', '--trust-lockfile'];
// Pnpm's own check, silent where nothing is missing. It installs the groups that the last install had, so it takes nothing
// away from the tests.
const later = ['exec', 'node', '--eval', '0'];

const { error, status } = spawnSync(
  'pnpm',
  existsSync(`${root}node_modules/.pnpm-workspace-state-v1.json`) ? later : first,
  {
    cwd: root,
    env: { ...process.env, pnpm_config_verify_deps_before_run: 'install' },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32', // a .cmd file there
  },
);
if (error) throw error;
process.exitCode = status ?? 1;

// A package with tools alone gets no folder for them, and pnpm's check would miss it and install again at every start.
for (const group of ['apps', 'packages'])
  for (const name of readdirSync(`${root}${group}`))
    if (existsSync(`${root}${group}/${name}/package.json`))
      mkdirSync(`${root}${group}/${name}/node_modules`, { recursive: true });

if (
  status === 0 &&
  !existsSync(`${root}node_modules/.bin/node`) &&
  Number.parseInt(process.versions.node, 10) < 24
) {
  process.stderr.write(
    `npm has no Node 24 for ${process.platform} ${process.arch}: install Node 24 or later.\n`,
  );
  process.exitCode = 1;
}

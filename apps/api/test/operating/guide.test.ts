import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { machinePostgres } from './machine-postgres.ts';

/** Programs of this repository and of every shell. The check of all pages examines `iv` and `npx` further. */
const KNOWN = ['iv', 'restart-in-turn', 'npx', 'echo', 'cat', 'cp', 'find', 'mkdir', 'sed', 'touch'];

/** Other programs; each is looked up where installed, and the neighbouring tests run its commands. */
const TOOLS = [
  'openssl',
  'pg_dump',
  'pg_restore',
  'pg_basebackup',
  'psql',
  'kubectl',
  'systemctl',
  'nginx',
  'haproxy',
];

const folders = [...(process.env['PATH'] ?? '').split(delimiter), machinePostgres ?? ''];
const isInstalled = (tool: string) => folders.some((folder) => existsSync(join(folder, tool)));
const missing = TOOLS.filter((tool) => !isInstalled(tool));
const notLookedFor =
  missing.length === 0 ? '' : ` (NOT LOOKED FOR: this machine has no ${missing.join(', ')})`;

/** The first word of each command on a page. */
function programsIn(page: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const fences = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, inner = '']) => inner);
  const lines = fences.flatMap((inner) => inner.replaceAll(/<<END\n[\s\S]*?\nEND\n/g, '\n').split('\n'));
  return lines.flatMap((line) => line.trim().split(' ')[0] || []);
}

// Breaks if the guide tells an operator to run something that was never tried.
test.each(['backups.md', 'deploying.md', 'upgrades.md'])(
  `every program that %s names is one that was tried${notLookedFor}`,
  (page) => {
    const programs = programsIn(page);
    expect(programs.length).toBeGreaterThan(1);
    expect(programs.filter((program) => ![...KNOWN, ...TOOLS].includes(program))).toEqual([]);
  },
);

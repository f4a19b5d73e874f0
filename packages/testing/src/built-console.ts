import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../apps/console/build/main.ts', import.meta.url));

/**
 * vitest's `globalSetup`: builds the console, where it is not there or older than its sources, before the first test. A
 * service would build it itself, with the lowest priority: on a busy machine for longer than a test waits, and each file
 * again, since a service that is stopped ends its build.
 * @throws with what the build wrote, when it fails
 */
export function setup(): void {
  const { status, stderr, error } = spawnSync(
    process.execPath,
    ['--conditions=@insurance-verification/source', program],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The console was not built: ${stderr}`, { cause: error });
}

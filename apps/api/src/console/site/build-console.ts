import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Maximum characters kept of a failed build's output. */
const REASON_LENGTH_MAX = 2_000;

/**
 * Builds the console if it is missing or older than its sources; otherwise takes a tenth of a second. Runs as a
 * separate, low-priority process: 2 s of a bundler on every core would otherwise be the first thing that callers wait
 * for.
 * @throws Error with the end of the build's output.
 */
export async function buildConsole(
  signal: AbortSignal,
  program = fileURLToPath(import.meta.resolve('@insurance-verification/console/build')),
): Promise<void> {
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, ['--conditions=@insurance-verification/source', program], {
    // The service's configuration is no business of a bundler; what Node has compiled halves a look at what is built.
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const exited = once(child, 'exit');
  if (child.pid !== undefined) lowerPriority(child.pid);
  const [said, [code, killedBy]] = await Promise.all([text(child.stderr), exited]);
  if (code !== 0) throw new Error(said.trim().slice(-REASON_LENGTH_MAX) || `ended by ${killedBy ?? code}`);
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // The process has ended already, or the machine forbids it: the build then runs at our own priority.
  }
}

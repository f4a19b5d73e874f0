import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VERSION = '0.29.1';

/** Outlives the run: only a machine's first run installs. */
const folder = fileURLToPath(
  new URL(`../node_modules/.cache/openapi-python-client-${VERSION}`, import.meta.url),
);

/** Runs a program to its end. @returns its stdout. @throws when it fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * The installed `openapi-python-client` and its Python; without Python or a network, the reason why they are missing.
 */
export function pythonGenerator(): { readonly bin: string; readonly missing: string | undefined } {
  const bin = `${folder}/bin`;
  const probe = () => run(`${bin}/openapi-python-client`, ['--version'], '/');
  try {
    probe();
    return { bin, missing: undefined };
  } catch {
    try {
      mkdirSync(folder, { recursive: true });
      run('python3', ['-m', 'venv', folder], folder);
      const wanted = `openapi-python-client==${VERSION}`;
      run(`${bin}/pip`, ['install', '--quiet', '--retries', '0', wanted], folder);
      probe();
      return { bin, missing: undefined };
    } catch (err) {
      rmSync(folder, { recursive: true, force: true }); // a half-installed tool would be found the next time
      const [reason = ''] = String(err).split('\n');
      return { bin, missing: `openapi-python-client is not at hand, so nothing is tried with it: ${reason}` };
    }
  }
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VERSION = '0.29.1';

/** Outlives the run: only a machine's first run installs. */
const folder = fileURLToPath(
  new URL(`../../node_modules/.cache/openapi-python-client-${VERSION}`, import.meta.url),
);

/** Runs a program to its end. @returns its stdout. @throws when it fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The folder with `openapi-python-client` and its Python, installed where it is not there yet. @throws when it cannot be had. */
export function pythonGenerator(): string {
  const bin = `${folder}/bin`;
  const probe = () => run(`${bin}/openapi-python-client`, ['--version'], '/');
  try {
    probe();
    return bin;
  } catch {
    // installed below
  }
  try {
    mkdirSync(folder, { recursive: true });
    run('python3', ['-m', 'venv', folder], folder);
    run(`${bin}/pip`, ['install', '--quiet', '--retries', '0', `openapi-python-client==${VERSION}`], folder);
    probe();
    return bin;
  } catch (err) {
    rmSync(folder, { recursive: true, force: true }); // a half-installed tool would be found the next time
    throw err;
  }
}

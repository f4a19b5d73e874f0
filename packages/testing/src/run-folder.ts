import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Followed by the run's process id. */
export const RUN_FOLDER_PREFIX = 'ivs-test-run-';

/**
 * vitest's `globalSetup`: all temporary folders of a run, its processes' too, lie in one. Each test file removes its
 * own (`file-folder.ts`); a run that ends with anything in it fails, and removes it. What a killed run leaves, the next
 * one removes (`remove-dead-runs.ts` of the store).
 */
export function setup(): void {
  const prefix = `${RUN_FOLDER_PREFIX}${process.pid}-`;
  if (basename(tmpdir()).startsWith(prefix)) return; // of another project in the same run
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711); // PostgreSQL does not run as root
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    const left = globSync('*{,/*}', { cwd: folder });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    if (left.length === 0) return;
    process.stderr.write(`The run left in its temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Runs the start of what lives as long as the worker, for a fixture `{ scope: 'worker' }`. Its temporary folders lie in
 * one of the run's: those of the test file that comes first are removed after that file (`file-folder.ts`).
 * @returns what was started, and what removes the folder once it has stopped
 */
export async function inWorkerFolder<T>(start: () => Promise<T>): Promise<[started: T, remove: () => void]> {
  const ofFile = tmpdir();
  const folder = mkdtempSync(join(dirname(ofFile), 'worker-'));
  process.env['TMPDIR'] = folder;
  try {
    return [await start(), () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  } finally {
    process.env['TMPDIR'] = ofFile;
  }
}

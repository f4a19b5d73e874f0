import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RUN_FOLDER_PREFIX } from './run-folder.ts';

/**
 * A temporary folder, removed after the file's tests, whether it was made for one of them or for all. A hook or a test
 * makes it: on import the file has no folder of its own yet.
 */
export function aFolder(): string {
  const outer = tmpdir();
  if (basename(outer).startsWith(RUN_FOLDER_PREFIX))
    throw new Error('A test file makes temporary folders in its hooks and tests, not on import.');
  return mkdtempSync(join(outer, 'ivs-'));
}

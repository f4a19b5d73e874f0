import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

// Registered as this module is imported, so before every hook of the file that asks for a folder: hooks that end a file
// run last to first, and what still writes into a folder has been stopped by then.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A temporary folder that goes when the file's tests have ended, whether it is made for one of them or for all. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-test-'));
  folders.push(folder);
  return folder;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Milliseconds to remove them all: some hold a database, and the disk may be busy. */
const PATIENCE_MS = 60_000;

const folders: string[] = [];

// Registered on import, and so before every hook of a file that asks for a folder: closing hooks run last to first, so
// everything that writes into a folder has stopped by then.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, PATIENCE_MS);

/** A temporary folder, removed after the file's tests, whether it was made for one of them or for all. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-test-'));
  folders.push(folder);
  return folder;
}

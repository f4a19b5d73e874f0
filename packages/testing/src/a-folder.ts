import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder, removed after the file's tests, whether it was made for one of them or for all. */
export function aFolder(): string {
  return mkdtempSync(join(tmpdir(), 'ivs-'));
}

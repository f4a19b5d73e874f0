import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';

/** The path of a `PAYERS_FILE` with these payers. */
export function aPayersFile(payers: readonly object[]): string {
  const path = join(aFolder(), 'payers.json');
  writeFileSync(path, JSON.stringify({ payers }));
  return path;
}

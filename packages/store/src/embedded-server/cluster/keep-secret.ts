import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a secret of a data directory for its owner alone, whole or not at all: of one cut off by a crash the first part
 * would be taken for the secret. Written by root it is the folder's owner's, as which the service must read it.
 */
export function keepSecret(file: string, text: string): void {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true }); // of another user perhaps, and the mode counts only for a new file
  writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(path.dirname(file));
    chownSync(unfinished, uid, gid);
  }
  renameSync(unfinished, file);
}

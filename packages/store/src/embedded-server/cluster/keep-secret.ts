import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a secret of a data directory atomically, readable by its owner only: the start of a file cut off by a crash
 * would be taken for the secret. When root writes it, it belongs to the folder's owner, as whom the service reads it.
 */
export function keepSecret(file: string, text: string): void {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true }); // it may belong to another user, and the mode applies only to new files
  writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(path.dirname(file));
    chownSync(unfinished, uid, gid);
  }
  renameSync(unfinished, file);
}

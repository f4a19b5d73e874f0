import { existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';

/** The packed database within a backup. */
export const BACKUP_ARCHIVE = path.join('postgres', 'cluster.tar.gz');

/** The keys that a service keeps in its data directory. PostgreSQL's password is not among them: a start makes another. */
const KEYS = ['encryption-key', 'audit-seal-key', 'api-key', 'test-api-key'] as const;

/** A key's file, by its name in the data directory. */
export type KeyName = (typeof KEYS)[number];

/** The keys that are in a folder, and those that are not. */
export function keysIn(folder: string): { readonly present: KeyName[]; readonly missing: KeyName[] } {
  const isThere = (name: KeyName) => existsSync(path.join(folder, name));
  return { present: KEYS.filter(isThere), missing: KEYS.filter((name) => !isThere(name)) };
}

/** Copies keys, readable by this user only. */
export async function copyKeys(
  names: readonly KeyName[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const name of names) {
    const target = path.join(to, name);
    await copyFile(path.join(from, name), target);
    await chmod(target, 0o600);
  }
}

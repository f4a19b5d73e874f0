import { copyFile, chmod, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

/** The packed database within a backup. */
export const BACKUP_ARCHIVE = path.join('postgres', 'cluster.tar.gz');

/** The superuser's password, without which the archived database cannot be opened. */
export const PASSWORD = path.join('postgres', 'password');

/** Everything a database needs besides its cluster: its server's password and every file of the data directory. */
export async function secretsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return [PASSWORD, ...entries.filter((entry) => entry.isFile()).map((entry) => entry.name)];
}

/**
 * Copies the secrets, readable by this user only.
 * @returns their names.
 */
export async function copySecrets({ from, to }: { from: string; to: string }): Promise<string[]> {
  const names = await secretsIn(from);
  for (const name of names) {
    const target = path.join(to, name);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(path.join(from, name), target);
    await chmod(target, 0o600);
  }
  return names;
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { DATABASE_NAME } from './cluster.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { endPreviousServer } from './launch-server.ts';
import { dataDirArgument, serverSpawnOptions } from './server-process.ts';
import type { ServerUser } from './user.ts';

/**
 * The password of an existing cluster; undefined where its file is gone, as after a restore.
 * @throws EmbeddedServerError `data_dir_unusable` when the file is there and cannot be read
 */
export function readPassword(passwordFile: string): string | undefined {
  if (!existsSync(passwordFile)) return undefined;
  try {
    return readFileSync(passwordFile, 'utf8').trim();
  } catch (err) {
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The password file ${passwordFile} cannot be read: ${err instanceof Error ? err.message : String(err)}. Let this user read it, or move it away, and another password is made.`,
      { cause: err },
    );
  }
}

/** 256 random bits in a file that only this user can read. Made before a cluster, so that none is without its password. */
export function makePassword(passwordFile: string): string {
  const password = aPassword();
  keepSecret(passwordFile, password);
  return password;
}

const aPassword = () => randomBytes(32).toString('base64url');

/**
 * Gives an existing cluster another password, kept once it holds. The owner of the cluster's files may do so: PostgreSQL's
 * single-user mode asks for none. So a backup needs to hold no password.
 * @throws EmbeddedServerError `start_failed`
 */
export async function renewPassword(options: {
  binaries: Binaries;
  clusterDir: string;
  user: ServerUser;
  passwordFile: string;
  settings: Record<string, string>;
  log: (message: string) => void;
}): Promise<string> {
  const { binaries, clusterDir, user, passwordFile, settings, log } = options;
  log(`The password file ${passwordFile} is gone: making another.`);
  await endPreviousServer({ binaries, clusterDir, log });
  const password = aPassword();
  const flags = Object.entries({ ...settings, log_min_error_statement: 'panic' });
  const child = spawn(
    binaries.postgres,
    [
      '--single',
      '-D',
      dataDirArgument(clusterDir, user),
      ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      'postgres',
    ],
    { ...serverSpawnOptions(clusterDir, user), stdio: ['pipe', 'ignore', 'ignore'] },
  );
  child.stdin?.on('error', () => undefined); // it ended before it read: its exit says so
  // The second role is missing where the first start died before it was made; `ensureDatabase` makes it then.
  child.stdin?.end(
    ['postgres', DATABASE_NAME].map((role) => `alter role ${role} password '${password}'\n`).join(''),
  );
  const ended = await new Promise<string | number | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  if (ended !== 0)
    throw new EmbeddedServerError(
      'start_failed',
      `The password file ${passwordFile} is gone, and PostgreSQL could not be given another password (${ended}). Start again, or put the file back.`,
    );
  keepSecret(passwordFile, password);
  return password;
}

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

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from '../binaries/locate-binaries.ts';
import { EmbeddedServerError, OWN_SERVER_HINT } from '../embedded-server-error.ts';
import type { ServerUser } from '../process/choose-server-user.ts';
import { dataDirArgument, serverSpawnOptions } from '../process/server-command.ts';
import { writeSchemaMark } from './schema-mark.ts';

/** The prefix of unfinished folders, which a start removes. */
export const UNFINISHED_PREFIX = 'initialising-';

/**
 * Creates a new cluster at `clusterDir`: UTF-8, sorted by code point, scram for all users, superuser `postgres`.
 *
 * It is built in a temporary folder and renamed once complete and synced, so an existing cluster is always complete;
 * leftovers of a killed start are removed first. Every attempt uses a fresh folder because the `initdb` of a killed
 * program may still be writing into the old one.
 *
 * @throws EmbeddedServerError `initialise_failed`
 */
export async function initialiseCluster(options: {
  binaries: Binaries;
  clusterDir: string;
  user: ServerUser;
  password: string;
  /** False skips the sync to disk, for databases that need not survive a power cut. */
  isDurable: boolean;
}): Promise<void> {
  const { binaries, clusterDir, user, password, isDurable } = options;
  const folder = path.dirname(clusterDir);
  await removeUnfinished(folder);
  const unfinished = await mkdtemp(path.join(folder, UNFINISHED_PREFIX));
  await chmod(unfinished, 0o700);
  if (user !== null) await chown(unfinished, user.uid, user.gid);

  const { status, output } = await runInitdb({ binaries, unfinished, user, password, isDurable });
  if (status !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new EmbeddedServerError(
      'initialise_failed',
      `initdb could not make a database in ${folder} (${status === null ? 'killed' : `exit ${status}`}):\n${output.trim()}\n${OWN_SERVER_HINT}`,
    );
  }
  await writeSchemaMark(unfinished, user);
  await rename(unfinished, clusterDir);
  if (isDurable && process.platform !== 'win32') {
    const handle = await open(folder);
    await handle.sync();
    await handle.close();
  }
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    // An orphaned initdb may still add files; the next start removes those.
    await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function runInitdb(options: {
  binaries: Binaries;
  unfinished: string;
  user: ServerUser;
  password: string;
  isDurable: boolean;
}): Promise<{ status: number | null; output: string }> {
  const { binaries, unfinished, user, password, isDurable } = options;
  // initdb reads the password from /dev/stdin, an open file: it never shows in `ps`, and folder permissions do not
  // matter.
  const passwordFile = path.join(path.dirname(unfinished), `${path.basename(unfinished)}.password`);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  const hasStdinFile = existsSync('/dev/stdin');
  try {
    if (user !== null) await chown(passwordFile, user.uid, user.gid);
    const stdin = await open(passwordFile);
    try {
      const child = spawn(
        binaries.initdb,
        [
          `--pgdata=${dataDirArgument(unfinished, user)}`,
          '--username=postgres',
          `--pwfile=${hasStdinFile ? '/dev/stdin' : passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--no-instructions',
          ...(isDurable ? [] : ['--no-sync']),
        ],
        { ...serverSpawnOptions(unfinished, user), stdio: [stdin.fd, 'pipe', 'pipe'] },
      );
      let output = '';
      child.stdout?.resume();
      child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      return await new Promise((resolve) => {
        child.once('error', (error) => resolve({ status: null, output: `${output}\n${error.message}` }));
        child.once('close', (status) => resolve({ status, output }));
      });
    } finally {
      await stdin.close();
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
}

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type Binaries, SERVER_VERSION } from './binaries.ts';
import { EmbeddedServerError, OWN_SERVER_HINT } from './embedded-server-error.ts';
import { dataDirArgument, serverSpawnOptions } from './server-process.ts';
import type { ServerUser } from './user.ts';

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
  mark?: ClusterMark | undefined;
  /** False skips the sync to disk, for databases that need not survive a power cut. */
  isDurable: boolean;
}): Promise<void> {
  const { binaries, clusterDir, user, password, mark, isDurable } = options;
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
  if (mark) await writeMark(unfinished, mark, user);
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

/** The name of both the database and its owner. */
export const DATABASE_NAME = 'insurance_verification';

const WRONG_PASSWORD = '28P01';

/**
 * Creates the role and the database if missing, and so verifies that the server accepts our password. The role is no
 * superuser, as on a managed PostgreSQL, so nothing can depend on that; it may create databases, as tests need.
 */
export async function ensureDatabase(options: {
  port: number;
  password: string;
  passwordFile: string;
}): Promise<void> {
  const { port, password, passwordFile } = options;
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 20_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
              exists (select from pg_database where datname = $1) as has_database`,
      [DATABASE_NAME],
    );
    // The two statements cannot share a transaction; the next start completes one that died between them.
    if (found.rows[0]?.has_role !== true) {
      await client.query(
        `create role ${DATABASE_NAME} login createdb password ${client.escapeLiteral(password)}`,
      );
    }
    if (found.rows[0]?.has_database !== true) {
      await client.query(`create database ${DATABASE_NAME} owner ${DATABASE_NAME}`);
    }
  } catch (err) {
    if (err instanceof pg.DatabaseError && err.code === WRONG_PASSWORD) {
      throw new EmbeddedServerError(
        'start_failed',
        `The password in ${passwordFile} does not belong to the database in the folder. Restore the file that does.`,
      );
    }
    throw err;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * PostgreSQL reads only clusters of its own major version, but reports a mismatch in a log, after three starts.
 * @throws EmbeddedServerError `other_version`, with the upgrade steps; `data_dir_unusable` where no version is stated
 */
export function refuseOtherVersion(clusterDir: string): void {
  const file = path.join(clusterDir, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (found === SERVER_VERSION) return;
  const folder = path.dirname(clusterDir);
  if (!/^\d+$/.test(found))
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The database in ${folder} is damaged: ${file} does not say which PostgreSQL made it. Put the folder back from a backup; to begin with an empty database, move ${folder} away.`,
    );
  const quoted = (name: string) => `'${name.replaceAll("'", String.raw`'\''`)}'`;
  const connect = `PGPASSWORD="$(cat ${quoted(`${folder}/password`)})"`;
  const where = `--host=127.0.0.1 --port="$(sed -n 4p ${quoted(`${clusterDir}/postmaster.pid`)})" --username=${DATABASE_NAME}`;
  throw new EmbeddedServerError(
    'other_version',
    `The database in ${folder} was made by PostgreSQL ${found}; this version of the service brings PostgreSQL ${SERVER_VERSION}, which cannot read it.
To bring it over, start the version of the service that made it, and write the database out:
  ${connect} pg_dump ${where} --format=custom --file=ivs.dump ${DATABASE_NAME}
Stop it, move the folder away, start this version, and read the dump in:
  ${connect} pg_restore ${where} --clean --if-exists --no-owner --dbname=${DATABASE_NAME} ivs.dump
Then start it again. pg_dump and pg_restore are those of PostgreSQL ${Math.max(Number(found), Number(SERVER_VERSION))}. The other files of ${path.dirname(folder)} stay where they are: the data is sealed with the key among them.`,
  );
}

/** A file that the program leaves in each cluster that it makes; a backup carries it, and PostgreSQL passes over it. */
export interface ClusterMark {
  /** Its name, without a path. */
  readonly file: string;
  readonly text: string;
  /**
   * Looks at the mark of a cluster before its server starts; an error that it throws ends the start.
   * @param text null where the cluster has none.
   * @param what the cluster is called in an error: `The database in /srv/data`.
   */
  readonly check: (text: string | null, what: string) => void;
}

async function writeMark(clusterDir: string, mark: ClusterMark, user: ServerUser): Promise<void> {
  const file = path.join(clusterDir, mark.file);
  await writeFile(file, mark.text, { mode: 0o600, flush: true });
  if (user !== null) await chown(file, user.uid, user.gid);
}

/** Null where the cluster has no such file. */
export function readMark(clusterDir: string, mark: ClusterMark): string | null {
  const file = path.join(clusterDir, mark.file);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

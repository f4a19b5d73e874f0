import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** The programs, all of one version, that a reader of the guide has with their own PostgreSQL. */
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_dump', 'pg_restore', 'pg_basebackup', 'psql'];

/** The folder with all of them; undefined without one. Debian keeps the server's out of the PATH. */
export const machinePostgres: string | undefined = [
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ...(process.env['PATH'] ?? '').split(delimiter),
].find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));

/** A suffix for the name of a test that needs them: a skipped test says so when they are missing. */
export const notRunWithoutPostgres =
  machinePostgres === undefined
    ? ` (NOT RUN: this machine has no PostgreSQL with ${PROGRAMS.join(', ')})`
    : '';

/** A server of the machine's PostgreSQL, created and stopped by the test. */
export interface MachineServer {
  /** Its own folder, writable for its user, also for backups. */
  readonly folder: string;
  readonly cluster: string;
  /** The user it runs as: PostgreSQL refuses root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** For the guide's commands: a PATH that begins with the programs. */
  readonly env: Record<string, string>;
  url(database: string, role?: string): string;
  ask(statement: string, database?: string): Promise<pg.QueryResultRow[]>;
}

const binary = (name: string) => join(machinePostgres ?? '', name);

export async function aMachineServer(settings = ''): Promise<MachineServer> {
  const folder = aFolder();
  const user = unprivilegedUser();
  chmodSync(folder, 0o755);
  if (user) chownSync(folder, user.uid, user.gid);
  const cluster = join(folder, 'cluster');
  const made = spawnSync(
    binary('initdb'),
    ['-D', cluster, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { cwd: folder, ...user, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `\nfsync = off\nunix_socket_directories = ''\n${settings.replaceAll('FOLDER', folder)}\n`,
  );
  mkdirSync(join(folder, 'wal'));
  if (user) chownSync(join(folder, 'wal'), user.uid, user.gid);
  return startCluster({ folder, cluster, user });
}

/** Starts a server on a cluster, and stops it after the test. */
export async function startCluster({
  folder,
  cluster,
  user,
}: Pick<MachineServer, 'folder' | 'cluster' | 'user'>): Promise<MachineServer> {
  const port = await freePort();
  const child = spawn(
    binary('postgres'),
    ['-D', cluster, '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  });
  const url = (database: string, role = 'postgres') => `postgres://${role}@127.0.0.1:${port}/${database}`;
  const ask: MachineServer['ask'] = async (statement, database = 'postgres') => {
    const client = new pg.Client({ connectionString: url(database) });
    client.on('error', () => undefined); // the running statement reports it
    await client.connect();
    try {
      return (await client.query<pg.QueryResultRow>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  await until('the server takes writes', async () => {
    if (child.exitCode !== null) throw new Error(said);
    const [row] = await ask('select pg_is_in_recovery() as r').catch(() => []);
    return row?.['r'] === false;
  });
  const env = { PATH: `${machinePostgres}${delimiter}${process.env['PATH'] ?? ''}`, BACKUPS: folder };
  return { folder, cluster, user, env, url, ask };
}

function unprivilegedUser(): MachineServer['user'] {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

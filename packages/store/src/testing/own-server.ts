import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readPostmasterFile } from '@insurance-verification/embedded-postgres';
import {
  chooseServerUser,
  findFreePort,
  giveClusterToUser,
  locateBinaries,
  reachableBinaries,
  spawnServer,
} from '@insurance-verification/embedded-postgres/testing';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import pg from 'pg';
import { extract } from 'tar';
import { streamCluster } from '../backup/stream-cluster.ts';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { reloadSettings } from './reload-settings.ts';

/** A separate PostgreSQL for one test that changes settings of the whole server. */
export interface OwnServer {
  /** The folder of its files, and of its socket if it has one. */
  readonly clusterDir: string;
  readonly connectionString: string;
  /** Runs statements as the server's superuser; returns the last one's rows. */
  readonly admin: (...statements: string[]) => Promise<pg.QueryResultRow[]>;
  /** `alter system set …`; resolves once new sessions have the setting, and commits do as it says. */
  readonly set: (setting: string, value: string) => Promise<void>;
  /** Reads `pg_hba.conf` again; resolves once new sessions are let in by it. */
  readonly reload: () => Promise<void>;
  /** Sessions whose commit waits for a synchronous standby. */
  readonly waitingPids: () => Promise<number[]>;
  /** Stops and continues every process of it, so that its sockets stay open without an answer. */
  readonly freeze: () => Promise<{ readonly thaw: () => void }>;
  /** Starts a standby on another port, from a copy of it. It follows, by the name `standby`, once this resolves. */
  readonly addStandby: () => Promise<OwnServer>;
  /** Restarts it on another port as a standby without a primary. `select pg_promote()` promotes it. */
  readonly restartAsStandby: () => Promise<OwnServer>;
  /** Stops it and removes its folder. */
  readonly stop: () => Promise<void>;
}

/**
 * Milliseconds for a connection to be answered: a port that another program took meanwhile may accept one and say nothing,
 * and the start of a standby would wait for it rather than see that its server has ended.
 */
const ANSWERED_MS = 10_000;

/** Milliseconds for a standby to start and to follow, before its log is shown. */
const FOLLOWED_MS = 60_000;

/** Writes nothing but its commit. */
const COMMIT = `select pg_logical_emit_message(true, 'test', '')`;

/** @param settings in addition to the usual ones, as for `postgres -c`. */
export async function startOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ivs-own-server-'));
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off', ...settings } });
  return ownServer(dataDir, server.connectionString, () => server.stop());
}

function ownServer(dataDir: string, connectionString: string, end: () => Promise<void>): OwnServer {
  const superuser = new URL(connectionString);
  superuser.username = 'postgres';
  const admin: OwnServer['admin'] = async (...statements) => {
    const client = new pg.Client({
      connectionString: superuser.href,
      connectionTimeoutMillis: ANSWERED_MS,
    });
    client.on('error', () => undefined); // the current statement reports it
    await client.connect();
    try {
      let rows: pg.QueryResultRow[] = [];
      for (const statement of statements) rows = (await client.query<pg.QueryResultRow>(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  const reload = () => reloadSettings(admin);
  const alter = async (setting: string, value: string) => {
    await admin(`alter system set ${setting} = '${value}'`);
    await reload();
  };
  const waitingPids: OwnServer['waitingPids'] = async () => {
    const rows = await admin(`select pid from pg_stat_activity where wait_event = 'SyncRep'`);
    return rows.map((row) => Number(row['pid']));
  };
  /** Whether a commit waits for a standby; one that does is given up. */
  const doesCommitHang = async () => {
    const client = new pg.Client({
      connectionString: superuser.href,
      connectionTimeoutMillis: ANSWERED_MS,
    });
    await client.connect();
    try {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const pid = rows[0]?.pid ?? 0;
      let isCommitted = false;
      const commit = client.query(COMMIT).then(() => (isCommitted = true));
      while (!isCommitted && !(await waitingPids()).includes(pid)) continue;
      const doesHang = !isCommitted;
      if (doesHang) await admin(`select pg_cancel_backend(${pid})`);
      await commit;
      return doesHang;
    } finally {
      await client.end();
    }
  };
  const set: OwnServer['set'] = async (setting, value) => {
    // Whether commits wait at all is decided by the checkpointer, which reads this setting in its own time.
    const isOfCommits = setting === 'synchronous_standby_names';
    if (isOfCommits && value !== '') {
      await alter(setting, 'nobody');
      while (!(await doesCommitHang())) continue;
    }
    await alter(setting, value);
    if (isOfCommits && value === '') await admin(COMMIT);
  };
  const clusterDir = join(dataDir, 'postgres', 'cluster');
  return {
    clusterDir,
    connectionString,
    admin,
    set,
    reload,
    waitingPids,
    freeze: async () => {
      const backends = await admin('select pid from pg_stat_activity where pid <> pg_backend_pid()');
      const pids = [...backends.map((row) => Number(row['pid'])), readPostmasterFile(clusterDir)?.pid ?? 0];
      signalEach(pids, 'SIGSTOP');
      return { thaw: () => signalEach(pids, 'SIGCONT') };
    },
    addStandby: async () => {
      const copy = await mkdtemp(join(tmpdir(), 'ivs-own-server-'));
      await copyCluster(superuser, join(copy, 'postgres', 'cluster'));
      const standby = await startStandby(copy, connectionString);
      const isFollowed = async () =>
        (await admin(`select from pg_stat_replication where state = 'streaming'`)).length > 0;
      await untilFollowing(copy, isFollowed);
      return standby;
    },
    restartAsStandby: async () => {
      await end();
      return startStandby(dataDir, connectionString);
    },
    stop: async () => {
      await end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Leaves out those that have ended. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids.filter((each) => each > 0)) {
    try {
      process.kill(pid, signal);
    } catch {
      // gone
    }
  }
}

/** Lays a copy of a running cluster that follows it when it is started as a standby. */
async function copyCluster({ port, username, password }: URL, clusterDir: string): Promise<void> {
  mkdirSync(clusterDir, { recursive: true, mode: 0o700 });
  const credentials = { port: Number(port), password: decodeURIComponent(password) };
  await pipeline(
    await streamCluster(credentials),
    extract({ cwd: clusterDir, strict: true, preserveOwner: false }),
  );
  const primary = `host=127.0.0.1 port=${port} user=${username} password=${credentials.password} application_name=standby`;
  appendFileSync(
    join(clusterDir, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary}'\nsynchronous_standby_names = ''\n`,
  );
  chmodSync(clusterDir, 0o700);
  giveClusterToUser(clusterDir, chooseServerUser({ clusterDir: '/nonexistent' }));
}

/** Does not use `startEmbeddedServer`, which waits until the server takes writes. */
async function startStandby(dataDir: string, primaryConnectionString: string): Promise<OwnServer> {
  const folder = join(dataDir, 'postgres');
  const clusterDir = join(folder, 'cluster');
  const signalFile = join(clusterDir, 'standby.signal');
  writeFileSync(signalFile, '');
  chmodSync(signalFile, 0o666);
  const user = chooseServerUser({ clusterDir });
  const place = {
    binaries: reachableBinaries(locateBinaries(), user),
    clusterDir,
    logFile: join(folder, 'server.log'),
    user,
    settings: { fsync: 'off' },
  };
  const url = new URL(primaryConnectionString);
  const port = await findFreePort();
  url.port = String(port);
  const run = spawnServer(place, port);
  const standby = ownServer(dataDir, url.href, async () => {
    if (run.ended === null) process.kill(run.pid, 'SIGINT');
    await run.whenEnded;
  });
  await untilFollowing(dataDir, async () => {
    if (run.ended !== null) throw new Error(`The standby did not start: ${run.ended}.`);
    const [row] = await standby.admin('select pg_is_in_recovery() as standby').catch(() => []);
    return row?.['standby'] === true;
  });
  return standby;
}

/** Waits for a standby. @throws with the end of its log where that takes too long. */
async function untilFollowing(dataDir: string, look: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await look())) {
    if (performance.now() - startedAt > FOLLOWED_MS)
      throw new Error(
        `The standby does not follow: ${readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8').slice(-2_000)}`,
      );
    await pause(10);
  }
}

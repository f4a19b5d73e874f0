import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createMasterKey,
  migrate,
  openStore,
  startEmbeddedServer,
  type Store,
} from '@insurance-verification/store';
import pg from 'pg';

/** A server for volumes, which counts each statement's buffers. */
export interface VolumeServer extends AsyncDisposable {
  /** A migrated database of that name, as the last run left it. */
  readonly open: (name: string) => Promise<VolumeDatabase>;
}

/** A database with its store, and what only a superuser may do in it. */
export interface VolumeDatabase {
  readonly store: Store;
  readonly connectionString: string;
  /** A superuser's connection. */
  readonly client: pg.Client;
  /** Another one, which the caller ends. */
  readonly connect: () => Promise<pg.Client>;
  /** Runs a statement in a session of its own. */
  readonly ask: (statement: string) => Promise<pg.QueryResultRow[]>;
  /** Waits until what was written is on the disk, lest the writing meet the calls that are measured. */
  readonly settle: () => Promise<void>;
  /** Forgets what was counted. */
  readonly startCounting: () => Promise<void>;
  /** The buffers that all statements since then touched. */
  readonly touchedBuffers: () => Promise<number>;
  /** The bytes of each table with its indexes, long values and partitions, the largest first. */
  readonly tableBytes: () => Promise<readonly TableBytes[]>;
}

export interface TableBytes {
  readonly name: string;
  readonly bytes: number;
}

/** @param folder is removed by the caller. */
export async function startVolumeServer(folder: string): Promise<VolumeServer> {
  const server = await startEmbeddedServer({
    dataDir: join(folder, 'volume'),
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      // What is lost with the machine is filled again: its log must not fill the disk, nor its flushes be measured.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '2GB',
    },
  });
  const opened: VolumeDatabase[] = [];
  return {
    open: async (name) => {
      const database = await openDatabase(server.connectionString, name);
      opened.push(database);
      return database;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { store, client } of opened) {
        await store.close();
        await client.end().catch(() => undefined);
      }
      await server.stop();
    },
  };
}

async function openDatabase(serverAddress: string, name: string): Promise<VolumeDatabase> {
  const address = new URL(serverAddress);
  const connect = async (database: string) => {
    const superuser = new URL(address);
    superuser.username = 'postgres';
    superuser.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: superuser.href });
    client.on('error', () => undefined); // an interrupted run stops the server first
    await client.connect();
    return client;
  };
  const maker = await connect('postgres');
  const { rowCount } = await maker.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await maker.query(`create database ${name} owner ${address.username}`);
  await maker.end();
  address.pathname = `/${name}`;
  const connectionString = address.href;
  await migrate({ connectionString });
  const client = await connect(name);
  await client.query('create extension if not exists pg_stat_statements');
  return {
    store: await openStore({ connectionString, encryptionKey: createMasterKey('bench') }),
    connectionString,
    client,
    connect: () => connect(name),
    ask: async (statement) => {
      const session = await connect(name);
      try {
        return (await session.query<pg.QueryResultRow>(statement)).rows;
      } finally {
        await session.end();
      }
    },
    settle: async () => {
      await client.query('checkpoint');
      await promisify(execFile)('sync'); // the server itself does not wait for the disk
    },
    startCounting: async () => void (await client.query('select pg_stat_statements_reset()')),
    touchedBuffers: async () => {
      const { rows } = await client.query<{ count: string }>(
        `select sum(shared_blks_hit + shared_blks_read) as count from pg_stat_statements
         join pg_database on pg_database.oid = dbid
         where datname = current_database() and query not like '%pg_stat_statements%'`,
      );
      return Number(rows[0]?.count);
    },
    tableBytes: async () => {
      const { rows } = await client.query<{ name: string; bytes: string }>(
        `select relname as name, pg_total_relation_size(oid) + coalesce((
           select sum(pg_total_relation_size(relid)) from pg_partition_tree(pg_class.oid) where isleaf
         ), 0) as bytes
         from pg_class
         where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 2 desc`,
      );
      return rows.map((row) => ({ name: row.name, bytes: Number(row.bytes) }));
    },
  };
}

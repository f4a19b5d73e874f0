import { join } from 'node:path';
import {
  createMasterKey,
  migrate,
  openStore,
  startEmbeddedServer,
  type Store,
} from '@insurance-verification/store';
import pg from 'pg';

/** A store on a server of its own, set up as the service's, which counts each statement's buffers. */
export interface VolumeServer extends AsyncDisposable {
  readonly store: Store;
  /** Forgets what was counted. */
  readonly startCounting: () => Promise<void>;
  /** The buffers that all statements since then touched. */
  readonly touchedBuffers: () => Promise<number>;
  /** Vacuums and analyses, so that what autovacuum has just not done does not count. */
  readonly settle: () => Promise<void>;
  /** The bytes of each table with its indexes and long values, the largest first. */
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
      // A fill of an hour must not fill the disk with its log, nor measure the disk's flushes.
      max_wal_size: '1GB',
      synchronous_commit: 'off',
    },
  });
  await migrate({ connectionString: server.connectionString });
  const superuser = new URL(server.connectionString);
  superuser.username = 'postgres';
  const client = new pg.Client({ connectionString: superuser.href });
  client.on('error', () => undefined); // an interrupted run stops the server first
  await client.connect();
  await client.query('create extension pg_stat_statements');
  const { connectionString } = server;
  const store = await openStore({ connectionString, encryptionKey: createMasterKey('bench') });
  return {
    store,
    startCounting: async () => void (await client.query('select pg_stat_statements_reset()')),
    touchedBuffers: async () => {
      const { rows } = await client.query<{ count: string }>(
        `select sum(shared_blks_hit + shared_blks_read) as count from pg_stat_statements
         where query not like '%pg_stat_statements%'`,
      );
      return Number(rows[0]?.count);
    },
    settle: async () => void (await client.query('vacuum analyze')),
    tableBytes: async () => {
      const { rows } = await client.query<{ name: string; bytes: string }>(
        `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
         where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`,
      );
      return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await client.end().catch(() => undefined);
      await server.stop();
    },
  };
}

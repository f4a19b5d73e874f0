import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedServer } from '@insurance-verification/store';
import pg from 'pg';

/** The key of every measured service. */
export const API_KEY = 'bench-key-0123456789abcdef';

/** A separate database, and the environment for a service on it. */
export interface BenchDatabase extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly client: pg.Client;
}

export interface BenchServer {
  /** The postmaster's process id: its process tree is all of PostgreSQL. */
  readonly pid: number;
  /** Creates an empty database; disposing of it drops it. */
  readonly aDatabase: () => Promise<BenchDatabase>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the bench's PostgreSQL. Autovacuum is off: a database lives for a minute, so a vacuum would hit one contestant
 * and spare another by chance. Each part analyses its tables itself.
 */
export async function startBenchServer(folder: string): Promise<BenchServer> {
  const server = await startEmbeddedServer({
    dataDir: join(folder, 'shared'),
    settings: { autovacuum: 'off' },
  });
  const env = {
    ENCRYPTION_KEY: `bench:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_API_KEY: API_KEY,
    DATA_DIR: join(folder, 'service'),
    PORT: '0',
  };
  let count = 0;
  return {
    get pid() {
      return server.pid;
    },
    aDatabase: async () => {
      count += 1;
      const name = `bench_${count}`;
      await run(server.connectionString, `create database ${name}`);
      const url = new URL(server.connectionString);
      url.pathname = `/${name}`;
      const client = new pg.Client({ connectionString: url.href });
      client.on('error', () => undefined); // an interrupted run stops the server first
      await client.connect();
      return {
        env: { ...env, DATABASE_URL: url.href },
        client,
        [Symbol.asyncDispose]: async () => {
          await client.end();
          await run(server.connectionString, `drop database ${name} with (force)`);
        },
      };
    },
    stop: () => server.stop(),
  };
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import type { Ground } from '../fault-row.ts';
import { aFolder } from './a-folder.ts';

export interface PgBouncer {
  /** The same database, in transaction mode. */
  readonly databaseUrl: string;
  /** Runs the statement on every backend that it keeps, in simultaneous transactions. */
  readonly askEach: <Row extends pg.QueryResultRow>(statement: string) => Promise<Row[]>;
}

const places = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];

/** PgBouncer refuses to run as root; Debian's `nobody`. */
const NOBODY = 65_534;

/** Null when it is not installed. */
export async function startPgBouncer(
  { stack }: Ground,
  databaseUrl: string,
  { poolSize }: { poolSize: number },
): Promise<PgBouncer | null> {
  const program = places.map((place) => join(place, 'pgbouncer')).find(existsSync);
  if (program === undefined) return null;
  const target = new URL(databaseUrl);
  const port = await freePort();
  const folder = aFolder(stack);
  const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const each of [folder, config, users]) chownSync(each, NOBODY, NOBODY);
  chmodSync(users, 0o600);
  let said = '';
  const child = spawn(program, [config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  stack.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String(port);

  const connect = async () => {
    const client = new pg.Client({ connectionString: through.href });
    client.on('error', () => undefined); // the running statement reports it
    await client.connect();
    return client;
  };
  await until('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    const client = await connect().catch(() => null);
    await client?.end();
    return client !== null;
  });
  return {
    databaseUrl: through.href,
    askEach: async <Row extends pg.QueryResultRow>(statement: string) => {
      const clients = await Promise.all(Array.from({ length: poolSize }, connect));
      try {
        await Promise.all(clients.map((client) => client.query('begin')));
        const answers = await Promise.all(clients.map((client) => client.query<Row>(statement)));
        return answers.flatMap(({ rows }) => rows);
      } finally {
        await Promise.all(clients.map((client) => client.query('rollback').then(() => client.end())));
      }
    },
  };
}

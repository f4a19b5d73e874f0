import { spawn } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import type { Ground } from '../../fault-row.ts';
import { aFolder } from '../a-folder.ts';
import { locateProgram } from '../locate-program.ts';
import { nobody } from '../nobody.ts';

export interface PgBouncer {
  /** The same database, in transaction mode. */
  readonly databaseUrl: string;
  /** Runs the statement on every backend that it keeps, in simultaneous transactions. */
  readonly askEach: <Row extends pg.QueryResultRow>(statement: string) => Promise<Row[]>;
}

const CONFIG = new URL('../../../deploy/patroni/pgbouncer.ini', import.meta.url);

/** PgBouncer with the repository's configuration, but for the addresses. Null when it is not installed. */
export async function startPgBouncer(
  { stack }: Ground,
  databaseUrl: string,
  { poolSize }: { poolSize: number },
): Promise<PgBouncer | null> {
  const program = locateProgram('pgbouncer');
  if (program === undefined) return null;
  const target = new URL(databaseUrl);
  const port = await freePort();
  const folder = aFolder(stack);
  const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(
    config,
    readFileSync(CONFIG, 'utf8')
      .replace(
        'insurance_verification = host=127.0.0.1 port=5000',
        `* = host=${target.hostname} port=${target.port}`,
      )
      .replace('listen_port = 6432', `listen_port = ${port}`)
      .replace('/etc/pgbouncer/userlist.txt', users)
      .replace('default_pool_size = 20', `default_pool_size = ${poolSize}`),
  );
  const { uid, gid } = nobody;
  if (uid !== undefined && gid !== undefined)
    for (const each of [folder, config, users]) chownSync(each, uid, gid);
  chmodSync(users, 0o600);
  let said = '';
  const child = spawn(program, [config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...nobody,
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

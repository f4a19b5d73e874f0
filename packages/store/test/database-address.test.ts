import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  checkWritable,
  createMasterKey,
  isDatabaseUnavailable,
  listen,
  migrate,
  openStore,
} from '../src/index.ts';
import type { OwnServer } from '../src/testing/own-server.ts';
import { aServer } from './ground/a-server.ts';

vi.setConfig({ testTimeout: 60_000 }); // each starts a server

const certificates = fileURLToPath(new URL('../../webhook/test/tls/', import.meta.url));
const root = `${certificates}ca.crt.pem`;

const encryptionKey = createMasterKey('k1');

async function aStore(connectionString: string) {
  const store = await openStore({ connectionString, encryptionKey });
  onTestFinished(() => store.close());
  return store;
}

/** Whether the connection is encrypted; the error's text when it fails. */
async function sealOf(connectionString: string) {
  try {
    const store = await aStore(connectionString);
    const { rows } = await sql<{ ssl: boolean; client: string | null }>`
      select ssl, client_dn as client from pg_stat_ssl where pid = pg_backend_pid()`.execute(store.db);
    return rows[0];
  } catch (err) {
    return err instanceof Error ? err.message : String(err);
  }
}

/** Installs a server's own file, readable only by it, as it requires. */
function lay(server: OwnServer, from: string, name: string) {
  const path = join(server.clusterDir, name);
  copyFileSync(`${certificates}${from}`, path);
  const { uid, gid } = statSync(server.clusterDir);
  chmodSync(path, 0o600);
  chownSync(path, uid, gid);
}

async function aSealedServer(certificate: string) {
  const server = await aServer();
  lay(server, `${certificate}.crt.pem`, 'server.crt');
  lay(server, `${certificate}.key.pem`, 'server.key');
  lay(server, 'ca.crt.pem', 'root.crt');
  await server.admin(`alter system set ssl_ca_file = 'root.crt'`);
  await server.set('ssl', 'on');
  return server;
}

const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters).toString()}`;

const withQuery = (server: OwnServer, parameters: Record<string, string>) =>
  server.connectionString + query(parameters);

test('each sslmode asks for what libpq asks for', async () => {
  const valid = await aSealedServer('valid');
  expect(await sealOf(valid.connectionString)).toEqual({ ssl: false, client: null });
  expect(await sealOf(withQuery(valid, { sslmode: 'require' }))).toMatchObject({ ssl: true });
  expect(await sealOf(withQuery(valid, { sslmode: 'verify-full', sslrootcert: root }))).toMatchObject({
    ssl: true,
  });
  // Signed by nobody that Node trusts.
  expect(await sealOf(withQuery(valid, { sslmode: 'verify-full' }))).toMatch(/certificate/);
  expect(await sealOf(withQuery(valid, { sslmode: 'verify-full', sslrootcert: 'system' }))).toMatch(
    /certificate/,
  );

  const other = await aSealedServer('wrong-host');
  expect(await sealOf(withQuery(other, { sslmode: 'require' }))).toMatchObject({ ssl: true });
  expect(await sealOf(withQuery(other, { sslmode: 'verify-ca', sslrootcert: root }))).toMatchObject({
    ssl: true,
  });
  expect(await sealOf(withQuery(other, { sslmode: 'verify-full', sslrootcert: root }))).toMatch(/altnames/);

  const stranger = await aSealedServer('self-signed');
  expect(await sealOf(withQuery(stranger, { sslmode: 'require' }))).toMatchObject({ ssl: true });
  expect(await sealOf(withQuery(stranger, { sslmode: 'require', sslrootcert: root }))).toMatch(/certificate/);
});

test('a server without TLS is refused where TLS is asked for', async () => {
  const open = await aServer();
  expect(await sealOf(withQuery(open, { sslmode: 'require' }))).toBe(
    'The server does not support SSL connections',
  );
});

test('a client certificate is shown, and read again for each connection', async () => {
  const server = await aSealedServer('valid');
  const hba = join(server.clusterDir, 'pg_hba.conf');
  const others = readFileSync(hba, 'utf8');
  writeFileSync(hba, `hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n${others}`);
  await server.reload();
  const folder = mkdtempSync(join(tmpdir(), 'ivs-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [sslcert, sslkey] = [join(folder, 'client.crt'), join(folder, 'client.key')];
  const show = (name: string) => {
    copyFileSync(`${certificates}${name}.crt.pem`, sslcert);
    copyFileSync(`${certificates}${name}.key.pem`, sslkey);
  };
  const url = withQuery(server, { sslmode: 'verify-full', sslrootcert: root, sslcert, sslkey });
  show('valid');
  expect(await sealOf(url)).toEqual({ ssl: true, client: '/CN=valid' });
  show('wrong-host');
  expect(await sealOf(url)).toEqual({ ssl: true, client: '/CN=wrong-host' });
  show('self-signed');
  expect(typeof (await sealOf(url))).toBe('string');
});

test('a Unix socket leads to the server too', async () => {
  const server = await aServer({ unix_socket_directories: '.' });
  const url = new URL(server.connectionString);
  const socket = `postgres://${url.username}:${url.password}@${url.pathname}${query({ host: server.clusterDir, port: url.port })}`;
  const store = await aStore(socket);
  const { rows } = await sql<{ address: string | null }>`select inet_client_addr() as address`.execute(
    store.db,
  );
  expect(rows).toEqual([{ address: null }]);
});

/** Both servers in one URL; each has its own password, from a file. */
function both(first: OwnServer, second: OwnServer) {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-passfile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const passfile = join(folder, 'pgpass');
  const urls = [new URL(first.connectionString), new URL(second.connectionString)] as const;
  const lines = urls.map(({ port, password }) => `127.0.0.1:${port}:*:*:${decodeURIComponent(password)}`);
  writeFileSync(passfile, lines.join('\n'), { mode: 0o600 });
  const hosts = urls.map(({ hostname, port }) => `${hostname}:${port}`).join(',');
  return `postgres://${urls[0].username}@${hosts}${urls[0].pathname}${query({ passfile, target_session_attrs: 'read-write' })}`;
}

// Without it a switchover would need a proxy, or a restart with another URL.
test('of several servers the one that takes writes is found, and found again after a switchover', async () => {
  const first = await aServer();
  const second = await aServer();
  const standby = await second.restartAsStandby();
  onTestFinished(standby.stop);
  const url = both(standby, first);
  expect(await migrate({ connectionString: url })).toEqual([]);
  const store = await aStore(url);
  const portOf = async () => {
    const { rows } = await sql<{ port: number }>`
      with noted as (insert into access_log (operation) values ('x')) select inet_server_port() as port`.execute(
      store.db,
    );
    return String(rows[0]?.port);
  };
  const payloads: string[] = [];
  const listener = listen(url, { work_due: (payload) => payloads.push(payload) });
  onTestFinished(() => listener.close());
  expect(await portOf()).toBe(new URL(first.connectionString).port);
  await expect.poll(() => payloads).toEqual(['']);

  await first.set('default_transaction_read_only', 'on');
  await standby.admin('select pg_promote()');
  const errors: unknown[] = [];
  await expect
    .poll(() => portOf().catch((err: unknown) => void errors.push(err)), { timeout: 20_000 })
    .toBe(new URL(standby.connectionString).port);
  expect(errors.filter((err) => !isDatabaseUnavailable(err))).toEqual([]);
  await checkWritable(store);
});

test('with only standbys a start is refused as one on a standby', async () => {
  const one = await (await aServer()).restartAsStandby();
  onTestFinished(one.stop);
  const other = await aServer();
  const url = both(one, other);
  await other.stop();
  await expect(migrate({ connectionString: url })).rejects.toMatchObject({ code: '25006' });
});

import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type pg from 'pg';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';

type Ssl = Exclude<pg.ClientConfig['ssl'], boolean | undefined>;

/**
 * The node-postgres configuration of one connection. Certificates are read each time, so a new one needs no restart.
 */
export function clientConfig(address: DatabaseAddress, { host, port }: DatabaseHost): pg.ClientConfig {
  const { user, database, password, passwordFile, applicationName } = address;
  const config: pg.ClientConfig = { host, port, ssl: host.startsWith('/') ? false : sslOf(address) };
  if (user !== undefined) config.user = user;
  if (database !== undefined) config.database = database;
  if (applicationName !== undefined) config.application_name = applicationName;
  if (password !== undefined) config.password = password;
  else if (passwordFile !== undefined)
    config.password = () =>
      readPasswordFile(passwordFile, { host, port, database: database ?? user ?? '', user: user ?? '' });
  return config;
}

function sslOf({ sslMode, rootCertificate, certificate, key }: DatabaseAddress): false | Ssl {
  if (sslMode === 'disable') return false;
  const ssl: Ssl = {};
  if (rootCertificate !== undefined && rootCertificate !== 'system')
    ssl.ca = readFileSync(rootCertificate, 'utf8');
  if (certificate !== undefined) ssl.cert = readFileSync(certificate, 'utf8');
  if (key !== undefined) ssl.key = readFileSync(key, 'utf8');
  // As in libpq: `require` by itself only asks for encryption; with a root certificate, the server's must be signed by it.
  if (sslMode === 'require' && rootCertificate === undefined) ssl.rejectUnauthorized = false;
  if (sslMode === 'verify-ca' || sslMode === 'require') ssl.checkServerIdentity = () => undefined;
  return ssl;
}

/** The key that selects a line of the file. */
interface PasswordOwner {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password of the first matching line in libpq's format `host:port:database:user:password`, where `*` matches
 * anything and `\` escapes a `:` within a value. The file is read for each connection, so a new password needs no
 * restart.
 * @throws {Error} when users other than the owner may access the file, as in libpq, or when no line matches.
 */
export async function readPasswordFile(path: string, owner: PasswordOwner): Promise<string> {
  if (((await stat(path)).mode & 0o077) !== 0)
    throw new Error(`${path} can be read by others: it needs mode 0600.`);
  for (const line of (await readFile(path, 'utf8')).split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1'),
    );
    if (fits(fields, owner) && fields[4]) return fields[4];
  }
  throw new Error(`${path} has no line for this host, port, database and user.`);
}

/** A Unix socket matches its folder or, as in libpq, `localhost`. */
function fits([host, port, database, user]: readonly string[], owner: PasswordOwner): boolean {
  const is = (field: string | undefined, value: string) => field === '*' || field === value;
  const isHost = is(host, owner.host) || (owner.host.startsWith('/') && host === 'localhost');
  return isHost && is(port, String(owner.port)) && is(database, owner.database) && is(user, owner.user);
}

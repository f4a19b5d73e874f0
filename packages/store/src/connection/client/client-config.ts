import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';
import { readPasswordFile } from './read-password-file.ts';

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
  // As in libpq: `require` alone only asks for encryption; with a root certificate, the server's must be signed by it.
  if (sslMode === 'require' && rootCertificate === undefined) ssl.rejectUnauthorized = false;
  if (sslMode === 'verify-ca' || sslMode === 'require') ssl.checkServerIdentity = () => undefined;
  return ssl;
}

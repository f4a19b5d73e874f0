/** The address of a database and how to connect to it. */
export interface DatabaseAddress {
  /** Its servers; one is the primary. */
  readonly hosts: readonly DatabaseHost[];
  /** When undefined, `PGUSER`, `PGDATABASE` and the operating system's user name apply. */
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** When undefined, the password file, `PGPASSWORD` and `~/.pgpass` apply. */
  readonly password: string | undefined;
  /** A file in libpq's format. */
  readonly passwordFile: string | undefined;
  readonly applicationName: string | undefined;
  readonly sslMode: SslMode;
  /** Paths of PEM files. As the root certificate, `system` means the ones Node trusts. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

export interface DatabaseHost {
  /** A name, an address, or the folder of a Unix socket, starting with `/`. */
  readonly host: string;
  readonly port: number;
}

type SslMode = (typeof SSL_MODES)[number];

/** As in libpq, but without `allow` and `prefer`, which let a man in the middle deny that the server has TLS. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

const PARAMETERS = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'application_name',
  'passfile',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
] as const;

type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** Parameters that libpq supports and the service does not, with the alternative. */
const INSTEAD: Readonly<Record<string, string>> = {
  options: 'a pooler drops it: alter role … set … holds behind one too',
  channel_binding: 'leave it out: sslmode=verify-full keeps others out',
  connect_timeout: 'leave it out: a connection is waited for two seconds',
  sslpassword: 'name a key without a password, in a file that the service alone reads',
};

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^@/?]*)(?:\/(?<database>[^/?]*))?(?:\?(?<query>.*))?$/s;

/**
 * Parses a URL in libpq's format: `postgres://user:password@host:port,host:port/database?sslmode=…`.
 * @throws {TypeError} naming what is unsupported, but not the URL, which holds a password.
 */
export function parseDatabaseAddress(url: string): DatabaseAddress {
  const parts = FORM.exec(url)?.groups;
  if (!parts) throw new TypeError('expected postgres://user:password@host:5432/database');
  const given = readParameters(parts['query'] ?? '');
  const session = given.target_session_attrs ?? 'read-write';
  if (session !== 'read-write' && session !== 'primary')
    throw new TypeError(
      `target_session_attrs=${session}: the service writes; expected read-write or primary`,
    );
  return {
    hosts: readHosts(given.host ?? decode(parts['hosts']) ?? 'localhost', given.port),
    user: given.user ?? decode(parts['user']),
    database: given.dbname ?? decode(parts['database']),
    password: given.password ?? decode(parts['password']),
    passwordFile: given.passfile,
    applicationName: given.application_name,
    sslMode: readSslMode(given),
    rootCertificate: given.sslrootcert,
    certificate: given.sslcert,
    key: given.sslkey,
  };
}

/** Undefined for empty text. @throws {TypeError} */
function decode(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw new TypeError('a % in it must begin an escape, as %25 for itself');
  }
}

function readParameters(query: string): Parameters {
  const known: ReadonlySet<string> = new Set(PARAMETERS);
  const given: Parameters = {};
  // As libpq reads them: a plus is a plus, as in a password, and no space.
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map((word) => decode(word) ?? '');
    if (!known.has(name)) {
      const instead = INSTEAD[name] ?? `known are ${PARAMETERS.join(', ')}`;
      throw new TypeError(`the parameter ${name} is not known here; ${instead}`);
    }
    given[name as keyof Parameters] = value;
  }
  return given;
}

/** As many ports as hosts, or one for all hosts. */
function readHosts(text: string, portText: string | undefined): DatabaseHost[] {
  const hosts = text
    .split(',')
    .map((each) => /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]*))(?::(?<port>.*))?$/.exec(each)?.groups);
  const ports = portText?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new TypeError(`port names ${ports.length} ports for ${hosts.length} hosts`);
  return hosts.map((each, index) => {
    const host = each?.['v6'] ?? each?.['name'];
    const port = Number(each?.['port'] ?? ports[index] ?? ports[0] ?? 5432);
    if (!host)
      throw new TypeError('expected a host, or several with commas between; an IPv6 address in brackets');
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new TypeError('expected ports of 1 to 65535');
    return { host, port };
  });
}

function readSslMode({ sslmode, sslrootcert, sslcert, sslkey }: Parameters): SslMode {
  const mode = sslmode ?? (sslrootcert === undefined && sslcert === undefined ? 'disable' : 'verify-full');
  const found = SSL_MODES.find((each) => each === mode);
  if (found === undefined)
    throw new TypeError(`sslmode=${mode} is not known here; expected ${SSL_MODES.join(', ')}`);
  if (found === 'verify-ca' && (sslrootcert === undefined || sslrootcert === 'system'))
    throw new TypeError('sslmode=verify-ca needs sslrootcert, the path of the root certificate');
  // Those roots sign everybody's certificates: without its name a server would not be known by one.
  if (found !== 'verify-full' && sslrootcert === 'system')
    throw new TypeError(`sslmode=${found} may not be used with sslrootcert=system; expected verify-full`);
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new TypeError('sslcert and sslkey go together');
  return found;
}

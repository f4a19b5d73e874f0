import { readFile, stat } from 'node:fs/promises';

/** The key that selects a line of the file. */
export interface PasswordOwner {
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

import { readFile, stat } from 'node:fs/promises';

/** What a line of the file is looked up by. */
export interface PasswordOwner {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password of the first line that fits, of libpq's form `host:port:database:user:password` with `*` for any and `\`
 * before a `:` that is part of a value. The file is read for each connection, so that a new password needs no restart.
 * @throws {Error} when others than its owner may read it, as libpq does, or no line fits.
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

/** A Unix socket is known by its folder or, as in libpq, as `localhost`. */
function fits([host, port, database, user]: readonly string[], owner: PasswordOwner): boolean {
  const is = (field: string | undefined, value: string) => field === '*' || field === value;
  const isHost = is(host, owner.host) || (owner.host.startsWith('/') && host === 'localhost');
  return isHost && is(port, String(owner.port)) && is(database, owner.database) && is(user, owner.user);
}

import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedServerError, OWN_SERVER_HINT } from './embedded-server-error.ts';

/** The unprivileged user the server runs as; null means this program's user. */
export type ServerUser = { uid: number; gid: number } | null;

/**
 * PostgreSQL refuses to run as root, so root hands the server to another user:
 *
 * | the cluster                 | server runs as                                                   |
 * |-----------------------------|------------------------------------------------------------------|
 * | exists, owned by a user     | that user, so a later start without root still works             |
 * | new, or owned by root       | `postgres`, else `_postgres` (macOS), else `nobody`, else the first other user |
 *
 * The user must be in the password database: `initdb` looks up its own uid and fails without a name. `postgres` comes
 * before `nobody` because every careless daemon shares `nobody`, and a process with the same uid may read the cluster.
 *
 * @throws EmbeddedServerError `data_dir_unusable`
 */
export function chooseServerUser(options: {
  clusterDir: string;
  /** This program's uid; undefined on Windows. */
  ownUid?: number | undefined;
  passwdFile?: string;
}): ServerUser {
  const { ownUid = process.getuid?.() } = options;
  if (ownUid === undefined) return null;
  const clusterOwner = statSync(options.clusterDir, { throwIfNoEntry: false });
  if (ownUid !== 0) {
    if (clusterOwner === undefined) refuseNamelessUser(ownUid);
    if (clusterOwner === undefined || clusterOwner.uid === ownUid) return null;
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The database in ${options.clusterDir} belongs to the user with uid ${clusterOwner.uid}, and this program runs as uid ${ownUid}. Start it as that user or as root, or give another DATA_DIR. ${OWN_SERVER_HINT}`,
    );
  }
  if (clusterOwner !== undefined && clusterOwner.uid !== 0) {
    return { uid: clusterOwner.uid, gid: clusterOwner.gid };
  }
  const users = readUsers(options.passwdFile ?? '/etc/passwd');
  const chosen =
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === '_postgres') ??
    users.find((user) => user.name === 'nobody') ??
    users[0];
  if (chosen === undefined) {
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `PostgreSQL does not run as root, and /etc/passwd has no other user to run it as. Add one, for example with \`useradd --system postgres\`. ${OWN_SERVER_HINT}`,
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

/** Checked here because `initdb`'s own message does not name a remedy. Containers often run under such a uid. */
function refuseNamelessUser(ownUid: number): void {
  try {
    os.userInfo();
  } catch (err) {
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `PostgreSQL makes a database only for a user with a name, and uid ${ownUid} has no entry in /etc/passwd. Add one, or run as another user. ${OWN_SERVER_HINT}`,
      { cause: err },
    );
  }
}

function readUsers(passwdFile: string): { name: string; uid: number; gid: number }[] {
  let text = '';
  try {
    text = readFileSync(passwdFile, 'utf8');
  } catch {
    // An image without the file has no users; the caller reports it.
  }
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && fields[2] !== '' && !fields[0]?.startsWith('#'))
    .map((fields) => ({
      name: fields[0] ?? '',
      // macOS writes `nobody` as -2; setuid takes the same bits as an unsigned number.
      uid: Number(fields[2]) >>> 0,
      gid: Number(fields[3]) >>> 0,
    }))
    .filter((user) => user.uid !== 0);
}

/** Gives a cluster owned by root, as after a restored backup, to the user that the server will run as. */
export function giveClusterToUser(clusterDir: string, user: ServerUser): void {
  if (user === null || statSync(clusterDir).uid === user.uid) return;
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(clusterDir, name), user.uid, user.gid);
  }
  // Last, because its owner marks the rest as done.
  lchownSync(clusterDir, user.uid, user.gid);
}

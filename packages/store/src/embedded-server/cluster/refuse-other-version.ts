import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_VERSION } from '../binaries/locate-binaries.ts';
import { EmbeddedServerError } from '../embedded-server-error.ts';
import { DATABASE_NAME } from './ensure-database.ts';

/**
 * PostgreSQL reads only clusters of its own major version, but reports a mismatch in a log, after three starts.
 * @throws EmbeddedServerError `other_version`, with the upgrade steps; `data_dir_unusable` where no version is stated
 */
export function refuseOtherVersion(clusterDir: string): void {
  const file = path.join(clusterDir, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (found === SERVER_VERSION) return;
  const folder = path.dirname(clusterDir);
  if (!/^\d+$/.test(found))
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The database in ${folder} is damaged: ${file} does not say which PostgreSQL made it. Put the folder back from a backup; to begin with an empty database, move ${folder} away.`,
    );
  const quoted = (name: string) => `'${name.replaceAll("'", String.raw`'\''`)}'`;
  const connect = `PGPASSWORD="$(cat ${quoted(`${folder}/password`)})"`;
  const where = `--host=127.0.0.1 --port="$(sed -n 4p ${quoted(`${clusterDir}/postmaster.pid`)})" --username=${DATABASE_NAME}`;
  throw new EmbeddedServerError(
    'other_version',
    `The database in ${folder} was made by PostgreSQL ${found}; this version of the service brings PostgreSQL ${SERVER_VERSION}, which cannot read it.
To bring it over, start the version of the service that made it, and write the database out:
  ${connect} pg_dump ${where} --format=custom --file=ivs.dump ${DATABASE_NAME}
Stop it, move the folder away, start this version, and read the dump in:
  ${connect} pg_restore ${where} --clean --if-exists --no-owner --dbname=${DATABASE_NAME} ivs.dump
Then start it again. pg_dump and pg_restore are those of PostgreSQL ${Math.max(Number(found), Number(SERVER_VERSION))}. The other files of ${path.dirname(folder)} stay where they are: the data is sealed with the key among them.`,
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  describeOtherSchema,
  ownMark,
  SCHEMA_DIGEST,
  type SchemaMark,
  schemaMarkOf,
} from '../../schema/schema.ts';
import { EmbeddedServerError } from '../embedded-server-error.ts';
import type { ServerUser } from '../process/choose-server-user.ts';

/** Within the cluster, so that a backup carries it. PostgreSQL passes over files that it does not know. */
const FILE = 'service-schema.json';

/** Marks a new cluster with the schema that its tables will have. */
export async function writeSchemaMark(clusterDir: string, user: ServerUser): Promise<void> {
  const file = path.join(clusterDir, FILE);
  await writeFile(file, `${JSON.stringify(ownMark())}\n`, { mode: 0o600, flush: true });
  if (user !== null) await chown(file, user.uid, user.gid);
}

/**
 * Looks which schema a cluster's tables have, before its server starts.
 * @param what it is called in the error: `The database in /srv/data`.
 * @throws EmbeddedServerError `other_schema` for another one than this build's; a cluster without a readable mark is older
 */
export function refuseOtherSchema(clusterDir: string, what: string): void {
  const file = path.join(clusterDir, FILE);
  const mark = existsSync(file) ? markIn(readFileSync(file, 'utf8')) : null;
  if (mark?.digest === SCHEMA_DIGEST) return;
  throw new EmbeddedServerError('other_schema', describeOtherSchema(what, mark));
}

function markIn(text: string): SchemaMark | null {
  try {
    return schemaMarkOf(JSON.parse(text));
  } catch {
    return null; // no JSON: another program's, or cut off
  }
}

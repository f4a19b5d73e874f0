import type pg from 'pg';
import { describeOtherSchema, ownMark, SCHEMA, SCHEMA_DIGEST, schemaMarkOf } from '../schema/schema.ts';

/** The database has the tables of another build, which knows no way to this one's. */
export class OtherSchemaError extends Error {
  override readonly name = 'OtherSchemaError';
}

/**
 * Makes the tables of an empty database.
 * @returns whether it was empty.
 * @throws {OtherSchemaError} when it has tables of ours with another schema than this build's; nothing is changed.
 */
export async function createSchema(client: pg.ClientBase): Promise<boolean> {
  const { rows: tables } = await client.query<{ is_marked: boolean }>(
    `select to_regclass('schema_version') is not null as is_marked
     where to_regclass('schema_version') is not null or to_regclass('access_log') is not null`,
  );
  const [ours] = tables;
  if (!ours) {
    await client.query(SCHEMA);
    const { digest, build } = ownMark();
    await client.query('insert into schema_version (digest, build) values ($1, $2)', [digest, build]);
    return true;
  }
  const { rows } = ours.is_marked
    ? await client.query<{ mark: unknown }>('select to_jsonb(version) as mark from schema_version as version')
    : { rows: [] };
  const mark = schemaMarkOf(rows[0]?.mark); // another program's table of this name has other columns
  if (mark?.digest !== SCHEMA_DIGEST) throw new OtherSchemaError(describeOtherSchema('The database', mark));
  return false;
}

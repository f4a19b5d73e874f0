import pg from 'pg';
import { EmbeddedServerError } from '../embedded-server-error.ts';

/** The database and the role that owns it share this name. */
export const DATABASE_NAME = 'insurance_verification';

const WRONG_PASSWORD = '28P01';

/**
 * Makes the role and the database where they are missing, and proves on the way that the server answers to our
 * password. The role is no superuser, as on a managed PostgreSQL, so nothing comes to depend on being one; it may
 * create databases, which is what a test needs.
 */
export async function ensureDatabase(options: {
  port: number;
  password: string;
  passwordFile: string;
}): Promise<void> {
  const { port, password, passwordFile } = options;
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 20_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
              exists (select from pg_database where datname = $1) as has_database`,
      [DATABASE_NAME],
    );
    // Two statements that cannot share a transaction: a start that dies between them is finished by the next one.
    if (found.rows[0]?.has_role !== true) {
      await client.query(
        `create role ${DATABASE_NAME} login createdb password ${client.escapeLiteral(password)}`,
      );
    }
    if (found.rows[0]?.has_database !== true) {
      await client.query(`create database ${DATABASE_NAME} owner ${DATABASE_NAME}`);
    }
  } catch (err) {
    if (err instanceof pg.DatabaseError && err.code === WRONG_PASSWORD) {
      throw new EmbeddedServerError(
        'start_failed',
        `The password in ${passwordFile} is not the one the database beside it was made with. Put the file back that belongs to it.`,
      );
    }
    throw err;
  } finally {
    await client.end().catch(() => {});
  }
}

import pg from 'pg';
import { EmbeddedServerError } from '../embedded-server-error.ts';

/** The name of both the database and its owner. */
export const DATABASE_NAME = 'insurance_verification';

const WRONG_PASSWORD = '28P01';

/**
 * Creates the role and the database if missing, and so verifies that the server accepts our password. The role is no
 * superuser, as on a managed PostgreSQL, so nothing can depend on that; it may create databases, as tests need.
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
    // The two statements cannot share a transaction; the next start completes one that died between them.
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

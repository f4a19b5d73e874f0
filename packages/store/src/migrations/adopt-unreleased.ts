import { type Kysely, sql } from 'kysely';

/** The eleven migrations that `0001-schema` replaces. */
export const UNRELEASED: readonly string[] = [
  '0001-first-tables',
  '0002-fair-deliveries',
  '0003-applied-bootstrap',
  '0004-work-queue',
  '0005-x12-exchanges',
  '0006-exhausted-deliveries',
  '0007-planned-once',
  '0008-earlier-webhook-secrets',
  '0009-held-shares',
  '0010-separated-duties',
  '0011-rate-budgets',
];

/** The functions they created, which are no longer called. */
export const CALLED_BY_NOBODY = [
  'insert_requests',
  'claim_deliveries',
  'finish_attempts',
  'apply_finding',
  'apply_held_finding',
  'hold_anonymous_output',
  'hold_keyed_output',
];

/**
 * Adopts a database from before the first release, such as a developer's `.data` folder: its tables are those of
 * `0001-schema`, so only its migration records change. To be removed with the first release.
 * @throws {Error} when it has only some of the old migrations; the database is left untouched.
 */
export async function adoptUnreleased(db: Kysely<unknown>): Promise<void> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name = any (${UNRELEASED}) order by name`.execute(db);
  const last = rows.at(-1)?.name;
  if (last === undefined) return;
  if (rows.length < UNRELEASED.length)
    throw new Error(
      `This database is from before the first release, and its last migration is ${last}. Only one that has ` +
        `${UNRELEASED.at(-1)} can be taken over. Use an empty database; for the embedded server, remove its data folder.`,
    );
  await sql`update kysely_migration set name = '0001-schema' where name = ${UNRELEASED[0]}`.execute(db);
  await sql`delete from kysely_migration where name = any (${UNRELEASED})`.execute(db);
  for (const name of CALLED_BY_NOBODY) await sql`drop function if exists ${sql.id(name)}`.execute(db);
}

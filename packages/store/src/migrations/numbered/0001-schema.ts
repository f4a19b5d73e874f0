import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { accessTables } from './0001-schema/access.ts';
import { deliveryTables } from './0001-schema/delivery.ts';
import { encryptionTables } from './0001-schema/encryption.ts';
import { intakeTables } from './0001-schema/intake.ts';
import { limitTables } from './0001-schema/limits.ts';
import { outputTables } from './0001-schema/output.ts';
import { verificationTables } from './0001-schema/verification.ts';

const statements = [
  // Ids and slugs compare byte by byte.
  sql`create domain issued_id as text collate "C"`,
  ...accessTables,
  ...encryptionTables,
  ...intakeTables,
  ...verificationTables,
  ...outputTables,
  ...deliveryTables,
  ...limitTables,
];

/** All tables of the first version, by stage. */
export const schema: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

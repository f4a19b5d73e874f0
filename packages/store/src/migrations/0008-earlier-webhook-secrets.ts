import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  sql`create table earlier_webhook_secret (
    account_id issued_id not null references account,
    secret bytea not null,
    valid_until timestamptz not null
  )`,
  sql`create index earlier_webhook_secret_account on earlier_webhook_secret (account_id, valid_until)`,
  sql`create index earlier_webhook_secret_valid_until on earlier_webhook_secret (valid_until)`,
];

/**
 * The secrets before an account's previous one: of several rotations within a day each secret signs for its own day.
 * Beside the columns of `account` and not in their place, which processes of the version before still read.
 */
export const earlierWebhookSecrets: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

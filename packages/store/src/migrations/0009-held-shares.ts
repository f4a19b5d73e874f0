import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { countHeldOutputs } from './held-shares/count-held-outputs.ts';
import { holdAnonymousOutput } from './held-shares/hold-anonymous-output.ts';
import { holdKeyedOutput } from './held-shares/hold-keyed-output.ts';

const statements = [
  // client: HMAC of an address; null for keyed senders. named_request_id: what an anonymous sender claims, unchecked. A
  // foreign key would look the request up and lock it, so that a known id took longer than an unknown one.
  sql`alter table held_output add column client bytea, add column named_request_id issued_id`,

  // The lists and bulk dismissals of one reason; what one key holds; whom a newer anonymous output displaces: dismissed
  // ones first, then the oldest, of its client and of all.
  sql`create index held_output_reason on held_output (reason, id) where status = 'held'`,
  sql`create index held_output_key on held_output (received_by) include (byte_count)
    where status = 'held' and received_by is not null`,
  sql`create index held_output_anonymous on held_output ((status = 'held'), id) include (byte_count)
    where received_by is null and status <> 'applied'`,
  sql`create index held_output_client on held_output (client, (status = 'held'), id)
    where received_by is null and status <> 'applied'`,
  ...countHeldOutputs,
  holdAnonymousOutput,
  holdKeyedOutput,
];

/**
 * Shares of what is held: one for senders with a key of a verifier, one for all others. Counted by triggers, so that
 * processes of the version before, which know nothing of shares, are counted too; and so that nobody sums 10,000 rows.
 */
export const heldShares: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { applyHeldFinding } from './planned-once/apply-finding.ts';

const statements = [
  sql`alter table api_key drop constraint api_key_scopes_check`,
  // Keys made before keep what they could do: `requests` alone read the webhook secret, `operate` alone made keys.
  sql`update api_key set scopes = scopes
      || case when 'requests' = any (scopes) then array['secrets'] else '{}' end
      || case when 'operate' = any (scopes) then array['admin', 'audit'] else '{}' end`,
  sql`alter table api_key add constraint api_key_scopes_check check (cardinality(scopes) > 0 and
    scopes <@ array['requests', 'secrets', 'verify', 'operate', 'admin', 'audit', 'privacy'])`,

  // Counts the keys that end soon at each scrape. Uses of a key change neither column, so they stay HOT.
  sql`create index api_key_expires on api_key (expires_at) where revoked_at is null`,

  // What the sandbox has looked at and left to the verifiers of test accounts; and the index by which it finds the rest,
  // however much waits for them. Live rows are in neither, and a claim of them reads neither.
  sql`alter table request add column open_to_test_verifiers boolean not null default false`,
  sql`create index request_sandbox on request
    (payer_id, channel, hashtext(account_id), account_id, work_due_at)
    where outcome = 'none' and sandbox = true and not open_to_test_verifiers`,

  // The version before put off for a hundred years what it did not answer itself; now verifiers of test accounts may.
  sql`update request set work_due_at = now()
    where sandbox and outcome = 'none' and work_due_at > now() + interval '50 years'`,

  // Null while its keys work.
  sql`alter table account add column suspended_at timestamptz`,

  // The account, key or held output that a line is about. Nullable and without a default, so the table is not rewritten.
  sql`alter table access_log add column subject_id issued_id`,
  applyHeldFinding,
];

/** A scope for each duty, so that no key need do two of them; and accounts whose keys are refused for a while. */
export const separatedDuties: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

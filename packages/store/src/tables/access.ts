import type { Scope } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant, Mac, VerifyWithinColumn } from './columns.ts';

export interface AccessTables {
  account: AccountTable;
  earlier_webhook_secret: EarlierWebhookSecretTable;
  applied_bootstrap: AppliedBootstrapTable;
  api_key: ApiKeyTable;
  access_log: AccessLogTable;
  look: LookTable;
}

interface AccountTable {
  mac: Mac;
  id: string;
  /** As a JSON string: `text` cannot hold NUL or a lone surrogate. */
  name: string;
  kind: 'provider' | 'platform';
  mode: 'live' | 'test';
  webhook_secret: Buffer;
  previous_webhook_secret: Buffer | null;
  previous_webhook_secret_until: Instant | null;
  /** The networks its keys work from; null means anywhere. */
  allowed_cidrs: string[] | null;
  created_at: Generated<Date>;
  /** When its keys stopped working; null while they work. */
  suspended_at: Instant | null;
  /** Days from the end of a request to the erasure of its data; null keeps it. */
  retention_days: number | null;
  /** Nothing is erased before. */
  erases_from: Instant | null;
  /** Every request up to this id was erased, or waits in `erasure_later`. */
  erased_through: string | null;
  /** It is of a demo day, and deleted with it. */
  is_demo: Generated<boolean>;
}

interface EarlierWebhookSecretTable {
  account_id: string;
  secret: Buffer;
  valid_until: Instant;
}

interface AppliedBootstrapTable {
  variable: 'BOOTSTRAP_API_KEY' | 'BOOTSTRAP_WEBHOOK_SECRET';
  /** HMAC of the value. */
  hash: Buffer;
  applied_at: Generated<Date>;
}

interface ApiKeyTable {
  mac: Mac;
  id: string;
  account_id: string;
  /** HMAC of the key's text. */
  hash: Buffer;
  /** The key's first characters, to distinguish keys. */
  prefix: string;
  /** As a JSON string, like the account's. */
  name: string | null;
  scopes: Scope[];
  /** Made from `BOOTSTRAP_API_KEY` or by the first start; a changed value replaces it. */
  bootstrap: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  /** The networks it works from, in addition to its account's restriction; null means anywhere. */
  allowed_cidrs: string[] | null;
  /** A person or a key; null for a key of the first start. */
  created_by: string | null;
  /** As a person's, `created_by` first; null where that is. */
  made_by: string[] | null;
  /** What its scope `verify` is kept to; null for nothing. */
  verify_within: VerifyWithinColumn;
}

interface AccessLogTable {
  id: Generated<string>;
  at: Generated<Date>;
  key_id: string | null;
  account_id: string | null;
  operation: string;
  request_id: string | null;
  subject_id: string | null;
  /** As a JSON string, like the account's name. */
  actor_name: string | null;
  session_id: string | null;
  /** Of the client; null when unknown, and at the machine itself. */
  address: string | null;
  /** Written in an hour of emergency access. */
  emergency: Generated<boolean>;
  outcome: Generated<'done' | 'refused'>;
  /** JSON: see `AccessDetails`. */
  details: string | null;
  /** The requests of a list, where they are several; `request_id` is null then. */
  request_ids: Generated<string[] | null>;
  /** The accounts of the request, or of a list's requests, each once, in their order. */
  request_account_ids: Generated<string[] | null>;
}

interface LookTable {
  session_id: string;
  operation: string;
  /** HMAC of what was asked for, and as whom. */
  asked: Buffer;
  began_at: Generated<Date>;
  /** The requests that were in it since. */
  request_ids: string[];
}

export interface LimitTables {
  rate_budget: RateBudgetTable;
  account_limit: AccountLimitTable;
}

interface RateBudgetTable {
  policy: string;
  subject: string;
  /** GCRA's theoretical arrival time: when the whole quota is available again. */
  tat: Instant;
  /** Units granted to the last slice. */
  granted: number;
}

interface AccountLimitTable {
  account_id: string;
  policy: string;
  quota: number;
  window_seconds: number;
  set_at: Generated<Date>;
}

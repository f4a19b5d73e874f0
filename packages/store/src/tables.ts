import type {
  AttemptOutcome,
  AttemptResult,
  DeliveryFact,
  HeldReason,
  Outcome,
  Scope,
  VerificationSource,
} from '@insurance-verification/schema';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Column names are the database's and never leave this package. Every `bytea` but a digest is sealed (see `Vault`). */
export interface Tables {
  account: AccountTable;
  earlier_webhook_secret: EarlierWebhookSecretTable;
  applied_bootstrap: AppliedBootstrapTable;
  api_key: ApiKeyTable;
  access_log: AccessLogTable;
  data_key: DataKeyTable;
  master_key_check: { master_key_id: string; value: Buffer };
  request: RequestTable;
  idempotency_key: IdempotencyKeyTable;
  result: ResultTable;
  held_output: HeldOutputTable;
  held_count: HeldCountTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  verification_attempt: VerificationAttemptTable;
  channel_attendance: ChannelAttendanceTable;
  x12_exchange: X12ExchangeTable;
  rate_budget: RateBudgetTable;
  account_limit: AccountLimitTable;
}

type Instant = ColumnType<Date, Date | string, Date | string>;

interface AccountTable {
  id: string;
  /** As a JSON string: `text` holds neither NUL nor a lone surrogate. */
  name: string;
  kind: 'provider' | 'platform';
  mode: 'live' | 'test';
  webhook_secret: Buffer;
  previous_webhook_secret: Buffer | null;
  previous_webhook_secret_until: Instant | null;
  /** The networks its keys work from; null: anywhere. */
  allowed_cidrs: string[] | null;
  created_at: Generated<Date>;
  /** Its keys are refused since then; null while they work. */
  suspended_at: Instant | null;
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
  id: string;
  account_id: string;
  /** HMAC of the key's text. */
  hash: Buffer;
  /** The first characters of the key, for a person to tell keys apart. */
  prefix: string;
  /** As a JSON string, like the account's. */
  name: string | null;
  scopes: Scope[];
  /** Made from `BOOTSTRAP_API_KEY` or at the first start; a changed value replaces it. */
  bootstrap: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  /** The networks it works from, beside its account's; null: anywhere. */
  allowed_cidrs: string[] | null;
}

interface AccessLogTable {
  id: GeneratedAlways<string>;
  at: Generated<Date>;
  key_id: string | null;
  account_id: string | null;
  operation: string;
  request_id: string | null;
  subject_id: string | null;
}

interface DataKeyTable {
  id: GeneratedAlways<number>;
  purpose: 'seal' | 'index';
  account_id: string | null;
  master_key_id: string;
  wrapped: Buffer;
  created_at: Generated<Date>;
}

interface RequestTable {
  id: string;
  account_id: string;
  payer_id: string;
  payer_name: string;
  /** `RequestInfo` as it came. */
  input: Buffer;
  received_at: Generated<Date>;
  outcome: Generated<Outcome>;
  outcome_reason: Buffer | null;
  delivery: Generated<DeliveryFact>;
  delivery_reason: string | null;
  /** Of the result that stands; 0 before the first. */
  version: Generated<number>;
  /** The latest output that said `pending`. */
  progress: Buffer | null;
  progress_at: Instant | null;
  /** Of an account of mode `test`: no live verifier and no payer ever sees it. */
  sandbox: Generated<boolean>;
  /** The sandbox has looked at it and left it to the verifiers of test accounts: its member id is not a reserved one. */
  open_to_test_verifiers: Generated<boolean>;
  /** Where it waits or is worked on. `entry`: the first channel of its payer's route, whichever that is. */
  channel: Generated<'entry' | VerificationSource>;
  channel_entered_at: Generated<Date>;
  /** When the channel's time is over; null while it is in `entry`. */
  channel_until: Instant | null;
  /** Attempts in this channel that were not released. */
  channel_attempt_count: Generated<number>;
  verification_attempt_count: Generated<number>;
  /** Since when it waits for a verifier. */
  work_due_at: Generated<Date>;
  lease_token: string | null;
  lease_until: Instant | null;
}

interface IdempotencyKeyTable {
  account_id: string;
  key: Buffer;
  body_digest: Buffer;
  request_id: string;
  created_at: Generated<Date>;
}

interface ResultTable {
  request_id: string;
  version: number;
  outcome: 'complete' | 'error_verifying';
  /** `{ errorReason, insuranceData }`. */
  body: Buffer;
  digest: Buffer;
  applied_at: Generated<Date>;
  applied_by: string | null;
  held_output_id: string | null;
}

interface HeldOutputTable {
  id: string;
  reason: HeldReason;
  /** Null when the output names no request of ours, and for anonymous senders. */
  request_id: string | null;
  /** What an anonymous sender claims, in issued form: nobody has looked whether there is such a request. */
  named_request_id: string | null;
  digest: Buffer;
  body: Buffer;
  byte_count: number;
  status: Generated<'held' | 'applied' | 'dismissed'>;
  received_at: Generated<Date>;
  /** Null for anonymous senders. */
  received_by: string | null;
  /** HMAC of an anonymous sender's address. */
  client: Buffer | null;
  settled_at: Instant | null;
  settled_by: string | null;
  note: Buffer | null;
}

/** Kept by triggers. */
interface HeldCountTable {
  is_keyed: boolean;
  reason: HeldReason;
  row_count: string;
  byte_count: string;
  dismissed_row_count: string;
  dismissed_byte_count: string;
}

interface DeliveryTable {
  id: string;
  request_id: string;
  version: number;
  account_id: string;
  destination: Buffer;
  /** HMAC of host and port: what caps and fairness group by. */
  destination_host: Buffer;
  body: Buffer;
  status: Generated<'pending' | 'delivered' | 'exhausted' | 'superseded'>;
  reason: string | null;
  /** Attempts over all rounds; a redelivery starts a new round. */
  attempt_count: Generated<number>;
  round_attempt_count: Generated<number>;
  /** Claims since the last finished attempt; a row that kills its worker stops at the cap. */
  claim_count: Generated<number>;
  run_at: Generated<Date>;
  lease_token: string | null;
  leased_at: Instant | null;
  lease_until: Instant | null;
  accepted_at: Generated<Date>;
  done_at: Instant | null;
}

interface DeliveryAttemptTable {
  delivery_id: string;
  number: number;
  at: Instant;
  outcome: AttemptOutcome;
  status_code: number | null;
  duration_ms: number;
  response_snippet: Buffer | null;
}

interface VerificationAttemptTable {
  request_id: string;
  number: number;
  account_id: string;
  payer_id: string;
  /** Null for an output that names none. */
  channel: VerificationSource | null;
  key_id: string | null;
  started_at: Generated<Date>;
  ended_at: Instant | null;
  outcome: Generated<AttemptResult>;
  /** A slug; a verifier's free text is in `evidence`. */
  error_reason: string | null;
  result_version: number | null;
  /** `Evidence`. */
  evidence: Buffer | null;
}

interface ChannelAttendanceTable {
  payer_id: string;
  channel: VerificationSource;
  claimed_at: Generated<Date>;
}

interface X12ExchangeTable {
  request_id: string;
  control_number: number;
  account_id: string;
  payer_id: string;
  started_at: Instant;
  duration_ms: number;
  status_code: number | null;
  error_reason: string | null;
  payer_codes: string[];
  inquiry: Buffer;
  answer: Buffer | null;
}

interface RateBudgetTable {
  policy: string;
  subject: string;
  /** The theoretical arrival time of GCRA: when the whole quota is there again. */
  tat: Instant;
  /** Units that the last slice got. */
  granted: number;
}

interface AccountLimitTable {
  account_id: string;
  policy: string;
  quota: number;
  window_seconds: number;
  set_at: Generated<Date>;
}

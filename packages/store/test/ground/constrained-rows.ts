import { REQUEST_ROWS } from './constrained-requests.ts';

/** A row of a table: first what is wrong in it, each with the constraint that refuses it; then the row itself. */
export interface ConstrainedRow {
  readonly table: string;
  /** Null where the schema has its one row already. */
  readonly row: object | null;
  readonly refused: readonly (readonly [wrong: object, constraint: string])[];
}

const NOBODY = 'acct_of_nobody';
const NEVER = 'never';
const empty = Buffer.alloc(0);
const at = new Date('2026-11-22T08:00:00Z');
const later = new Date('2026-11-22T09:00:00Z');
const TOKEN = '00000000-0000-4000-8000-000000000001';

const account = { account_id: 'acct_1' };
const staff = { staff_id: 'staff_1' };

/** Every table that has a check or a foreign key, in an order in which each finds what it refers to. */
export const CONSTRAINED_ROWS: readonly ConstrainedRow[] = [
  {
    table: 'schema_version',
    row: null,
    refused: [[{ id: false, digest: 'd', build: 'b' }, 'schema_version_id_check']],
  },
  {
    table: 'server_timeline',
    row: null,
    refused: [
      [{ only_row: false, timeline: 1 }, 'server_timeline_only_row_check'],
      [{ timeline: -1 }, 'server_timeline_timeline_check'],
    ],
  },
  {
    table: 'account',
    row: { id: account.account_id, name: '"x"', kind: 'provider', mode: 'live', webhook_secret: empty },
    refused: [
      [{ kind: 'payer' }, 'account_kind_check'],
      [{ mode: 'demo' }, 'account_mode_check'],
      [{ allowed_cidrs: [] }, 'account_allowed_cidrs_check'],
      [{ retention_days: 2 }, 'retention_days_check'],
      [{ retention_days: 3651 }, 'retention_days_check'],
      [{ is_demo: true }, 'account_check'],
      [{ previous_webhook_secret: empty }, 'account_previous_secret'],
      [{ previous_webhook_secret_until: at }, 'account_previous_secret'],
    ],
  },
  {
    table: 'earlier_webhook_secret',
    row: { ...account, secret: empty, valid_until: at },
    refused: [[{ account_id: NOBODY }, 'earlier_webhook_secret_account_id_fkey']],
  },
  {
    table: 'api_key',
    row: { id: 'key_1', ...account, hash: empty, prefix: 'p', scopes: ['requests'] },
    refused: [
      [{ account_id: NOBODY }, 'api_key_account_id_fkey'],
      [{ scopes: [] }, 'api_key_scopes_check'],
      [{ scopes: ['requests', 'root'] }, 'api_key_scopes_check'],
      [{ allowed_cidrs: [] }, 'api_key_allowed_cidrs_check'],
      [{ verify_within: '[]' }, 'api_key_verify_within_check'],
    ],
  },
  {
    table: 'applied_bootstrap',
    row: { variable: 'BOOTSTRAP_API_KEY', hash: empty },
    refused: [[{ variable: 'PATH' }, 'applied_bootstrap_variable_check']],
  },
  {
    table: 'account_limit',
    row: { ...account, policy: 'p', quota: 1, window_seconds: 1 },
    refused: [
      [{ account_id: NOBODY }, 'account_limit_account_id_fkey'],
      [{ quota: 0 }, 'account_limit_quota_check'],
      [{ window_seconds: 0 }, 'account_limit_window_seconds_check'],
    ],
  },
  {
    table: 'retention_asking',
    row: { ...account, days: 30, asked_by: 'key_1', asked_at: at },
    refused: [[{ account_id: NOBODY }, 'retention_asking_account_id_fkey']],
  },
  {
    table: 'retention_change',
    row: { ...account, changed_by: 'key_1' },
    refused: [
      [{ account_id: NOBODY }, 'retention_change_account_id_fkey'],
      [{ days_before: 2 }, 'retention_days_check'],
      [{ days_after: -1 }, 'retention_days_check'],
    ],
  },
  { table: 'master_key_check', row: { master_key_id: 'k1', value: empty }, refused: [] },
  {
    table: 'data_key',
    row: { purpose: 'encrypt', ...account, master_key_id: 'k1', wrapped: empty },
    refused: [
      [{ purpose: 'sign' }, 'data_key_purpose_check'],
      [{ account_id: NOBODY }, 'data_key_account_id_fkey'],
      [{ master_key_id: NEVER }, 'data_key_master_key_id_fkey'],
    ],
  },
  ...REQUEST_ROWS,
  {
    table: 'delivery_worker',
    row: { id: TOKEN, until: at, account_slots: 1, is_leaving: false },
    refused: [[{ account_slots: -1 }, 'tally_check']],
  },
  {
    table: 'delivery_shard',
    row: { shard: 0, owner: TOKEN },
    refused: [
      [{ shard: 256 }, 'delivery_shard_shard_check'],
      [{ owner: '00000000-0000-4000-8000-000000000002' }, 'delivery_shard_owner_fkey'],
    ],
  },
  {
    table: 'receiver',
    row: { destination_host: empty, delivery_id: 'msg_1', last_attempt_at: at },
    refused: [
      [{ delivery_id: NEVER }, 'receiver_delivery_id_fkey'],
      [{ paused_since: at }, 'receiver_paused'],
    ],
  },
  {
    table: 'receiver_hour',
    row: { destination_host: empty, mode: 'live', hour: at, taken_count: 0, failed_count: 0 },
    refused: [
      [{ mode: 'bus' }, 'receiver_hour_mode_check'],
      [{ taken_count: -1 }, 'tally_check'],
      [{ failed_count: -1 }, 'tally_check'],
      [{ destination_host: Buffer.from('x') }, 'receiver_hour_destination_host_fkey'],
    ],
  },
  {
    table: 'staff',
    row: { id: staff.staff_id, name: '"x"', ...account, roles: ['viewer'] },
    refused: [
      [{ account_id: NOBODY }, 'staff_account_id_fkey'],
      [{ allowed_cidrs: [] }, 'staff_allowed_cidrs_check'],
      [{ verify_within: '[]' }, 'staff_verify_within_check'],
      [{ roles: [] }, 'staff_roles_check'],
      [{ roles: ['viewer', 'king'] }, 'staff_roles_check'],
    ],
  },
  {
    table: 'sign_in_link',
    row: { hash: empty, ...staff, expires_at: at },
    refused: [[{ staff_id: NEVER }, 'sign_in_link_staff_id_fkey']],
  },
  {
    table: 'staff_session',
    row: { id: 'session_1', ...staff, hash: empty, origin_hash: empty, expires_at: at },
    refused: [
      [{ staff_id: NEVER }, 'staff_session_staff_id_fkey'],
      [{ way: 'window' }, 'staff_session_way_check'],
    ],
  },
  {
    table: 'staff_identity',
    row: { issuer: 'i', subject: 's', ...staff },
    refused: [[{ staff_id: NEVER }, 'staff_identity_staff_id_fkey']],
  },
  {
    table: 'emergency_access',
    row: { session_id: 'session_1', begun_at: at, ends_at: later, ...staff },
    refused: [
      [{ staff_id: NEVER }, 'emergency_access_staff_id_fkey'],
      [{ ends_at: at }, 'emergency_access_ends'],
    ],
  },
  {
    table: 'passkey',
    row: { id: 'passkey_1', ...staff, hash: empty, credential: empty, sign_count: 0, name: '"x"' },
    refused: [
      [{ staff_id: NEVER }, 'passkey_staff_id_fkey'],
      [{ sign_count: -1 }, 'passkey_sign_count_check'],
    ],
  },
  {
    table: 'staff_settings',
    row: { ...staff, settings: {} },
    refused: [
      [{ staff_id: NEVER }, 'staff_settings_staff_id_fkey'],
      [{ settings: '[]' }, 'staff_settings_settings_check'],
    ],
  },
  {
    table: 'fact_progress',
    row: null,
    refused: [
      [{ id: false, counted_until: at, event_count: 0 }, 'fact_progress_id_check'],
      [{ counted_until: at, event_count: -1 }, 'tally_check'],
    ],
  },
  {
    table: 'access_log',
    row: { operation: 'requests.get' },
    refused: [[{ outcome: 'lost' }, 'access_outcome_check']],
  },
  {
    table: 'hourly_fact',
    row: {
      ...account,
      kind: 'received',
      hour: at,
      payer_id: '',
      channel: '',
      reason: '',
      count: 0,
      sum_ms: 0,
      max_ms: 0,
    },
    refused: [
      [{ kind: 'lost' }, 'hourly_fact_kind_check'],
      [{ count: -1 }, 'tally_check'],
      [{ buckets: [1] }, 'hourly_fact_buckets'],
      [{ buckets: [1, 2], bucket_counts: [1] }, 'hourly_fact_buckets'],
    ],
  },
  {
    table: 'queue_depth',
    row: {
      queue: 'work',
      ...account,
      payer_id: 'p',
      channel: 'api',
      waiting_count: 0,
      leased_count: 0,
      overdue_count: 0,
      claimable_count: 0,
    },
    refused: [
      [{ queue: 'bus' }, 'queue_depth_queue_check'],
      [{ waiting_count: -1 }, 'tally_check'],
    ],
  },
  {
    table: 'queue_count',
    row: { queue: 'work', counted_at: at, row_count: 0, duration_ms: 0 },
    refused: [
      [{ queue: 'bus' }, 'queue_count_queue_check'],
      [{ row_count: -1 }, 'tally_check'],
    ],
  },
];

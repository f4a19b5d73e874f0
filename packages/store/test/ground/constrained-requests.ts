import type { ConstrainedRow } from './constrained-rows.ts';

const NOBODY = 'acct_of_nobody';
const NOTHING = 'req_of_nothing';
const NEVER = 'msg_of_nothing';
const empty = Buffer.alloc(0);
const at = new Date('2026-11-22T08:00:00Z');
const TOKEN = '00000000-0000-4000-8000-000000000001';

const account = { account_id: 'acct_1' };
const request = { request_id: 'req_1' };

/** The tables of requests and of all that is about them; the account is there. */
export const REQUEST_ROWS: readonly ConstrainedRow[] = [
  {
    table: 'request',
    row: {
      id: request.request_id,
      ...account,
      payer_id: 'p',
      payer_name: 'p',
      input: empty,
      member_index: 0,
    },
    refused: [
      [{ account_id: NOBODY }, 'request_account_id_fkey'],
      [{ needed_by: 'infinity' }, 'request_needed_by_check'],
      [{ outcome: 'banana', version: 1, channel: 'api' }, 'request_outcome_check'],
      [{ outcome: 'complete', version: 1, channel: 'api', delivery: 'lost' }, 'request_delivery_check'],
      [{ outcome: 'complete', version: 1, channel: 'pigeon' }, 'queue_name_check'],
      [{ outcome: 'complete', version: 1 }, 'request_channel_of_outcome'],
      [{ channel: 'api' }, 'request_channel_of_outcome'],
      [{ delivery: 'pending' }, 'request_delivers_outcome'],
      [{ version: -3 }, 'request_version_of_outcome'],
      [{ outcome: 'complete', channel: 'api' }, 'request_version_of_outcome'],
      [{ outcome: 'complete', channel: 'api', version: -3 }, 'request_version_of_outcome'],
      [{ delivery_reason: 'webhook_gone' }, 'request_delivery_reason'],
      [{ outcome: 'complete', channel: 'api', version: 1, delivery: 'exhausted' }, 'request_delivery_reason'],
    ],
  },
  {
    table: 'idempotency_key',
    row: { ...account, key: empty, body_digest: empty, ...request },
    refused: [
      [{ request_id: NOTHING }, 'idempotency_key_request_id_fkey'],
      [{ account_id: NOTHING }, 'idempotency_key_account_id_fkey'],
    ],
  },
  {
    table: 'erasure_later',
    row: { ...account, ...request, since: at },
    refused: [
      [{ account_id: NOBODY }, 'erasure_later_account_id_fkey'],
      [{ request_id: NOTHING }, 'erasure_later_request_id_fkey'],
    ],
  },
  {
    table: 'erasure',
    row: { id: 'ers_1', ...request, reason: 'wrong_patient', asked_by: 'key_1' },
    refused: [
      [{ request_id: NOTHING }, 'erasure_request_id_fkey'],
      [{ reason: 'because Jane asked' }, 'erasure_reason_check'],
      [{ erased_at: at }, 'erasure_confirmed'],
      [{ confirmed_by: 'stf_1' }, 'erasure_confirmed'],
    ],
  },
  {
    table: 'legal_hold',
    row: { id: 'hold_1', ...account, ...request, reason: empty, placed_by: 'key_1' },
    refused: [
      [{ account_id: NOBODY }, 'legal_hold_account_id_fkey'],
      [{ request_id: NOTHING }, 'legal_hold_request_id_fkey'],
      [{ ended_at: at }, 'legal_hold_end'],
    ],
  },
  {
    table: 'batch',
    row: { id: 'bat_1', ...account, key: empty, head_digest: empty, mode: 'accept_valid', sent_by: 'key_1' },
    refused: [
      [{ account_id: NOBODY }, 'batch_account_id_fkey'],
      [{ mode: 'some' }, 'batch_mode_check'],
      [{ received_count: -1 }, 'tally_check'],
      [{ receiver: TOKEN }, 'batch_receiver'],
      [{ ended_at: at }, 'batch_end'],
      [{ canceled_at: at, canceled_by: NOBODY }, 'batch_canceled'],
      [{ completed_at: at, canceled_at: at }, 'batch_canceled_by'],
      [{ outcome: 'all' }, 'batch_outcome'],
      [{ completed_at: at, ended_at: at, outcome: 'most' }, 'batch_outcome_check'],
    ],
  },
  {
    table: 'batch_row',
    row: { batch_id: 'bat_1', row: 1, digest: empty },
    refused: [
      [{ batch_id: NOTHING }, 'batch_row_batch_id_fkey'],
      [{ request_id: NOTHING }, 'batch_row_request_id_fkey'],
      [{ row: 0 }, 'ordinal_check'],
      [{ ...request, errors: '[]' }, 'batch_row_rejected'],
    ],
  },
  {
    table: 'batch_change',
    row: { batch_id: 'bat_1', place: 'answered', count: 1 },
    refused: [[{ place: 'waiting' }, 'batch_change_place_check']],
  },
  {
    table: 'batch_staged',
    row: { batch_id: 'bat_1', row: 1, request: empty },
    refused: [[{ row: 2 }, 'batch_staged_batch_id_row_fkey']],
  },
  {
    table: 'work_queue',
    row: { ...request, ...account, pool: 'live', payer_id: 'p' },
    refused: [
      [{ request_id: NOTHING }, 'work_queue_request_id_fkey'],
      [{ pool: 'car' }, 'pool_check'],
      [{ channel: 'pigeon' }, 'queue_name_check'],
      [{ attempt_count: -1 }, 'tally_check'],
      [{ lease: TOKEN }, 'work_queue_lease'],
      [{ leased_at: at, leased_until: at }, 'work_queue_lease'],
      [{ lease: TOKEN, leased_at: at, leased_until: at, postponed: true }, 'work_queue_postponed'],
      [{ call_back_by: NOTHING }, 'work_queue_call_back'],
      [{ call_back_is_own: true }, 'work_queue_call_back_own'],
    ],
  },
  {
    table: 'payer_outage',
    row: { payer_id: 'p', since: at, failure_count: 10, next_probe_at: at },
    refused: [
      [{ failure_count: -1 }, 'tally_check'],
      [{ ended_at: '2020-01-01T00:00:00Z' }, 'payer_outage_end'],
    ],
  },
  {
    table: 'account_served',
    row: account,
    refused: [[{ account_id: NOBODY }, 'account_served_account_id_fkey']],
  },
  {
    table: 'channel_attendance',
    row: { payer_id: 'p', channel: 'api' },
    refused: [[{ channel: 'pigeon' }, 'channel_check']],
  },
  {
    table: 'verification_attempt',
    row: { ...request, number: 1, ...account, payer_id: 'p', channel: 'api' },
    refused: [
      [{ request_id: NOTHING }, 'verification_attempt_request_id_fkey'],
      [{ number: 0 }, 'ordinal_check'],
      [{ result_version: -1 }, 'ordinal_check'],
      [{ channel: 'entry' }, 'channel_check'],
      [{ outcome: 'lost', ended_at: at }, 'attempt_outcome_check'],
      [{ outcome: 'failed' }, 'verification_attempt_end'],
      [{ ended_at: at }, 'verification_attempt_end'],
    ],
  },
  {
    table: 'x12_exchange',
    row: {
      ...request,
      control_number: 1,
      ...account,
      payer_id: 'p',
      started_at: at,
      duration_ms: 0,
      payer_codes: [],
      inquiry: empty,
    },
    refused: [
      [{ request_id: NOTHING }, 'x12_exchange_request_id_fkey'],
      [{ duration_ms: -1 }, 'tally_check'],
      [{ control_number: 0 }, 'x12_exchange_control_number_check'],
      [{ control_number: 1_000_000_000 }, 'x12_exchange_control_number_check'],
      [{ dental_codes: [1, 1] }, 'x12_exchange_dental_codes_check'],
      [{ medical_codes: [1, 1] }, 'x12_exchange_medical_codes_check'],
    ],
  },
  {
    table: 'draft',
    row: { ...request, written_by: 'key_1', revision: 1, body: empty },
    refused: [[{ request_id: NOTHING }, 'draft_request_id_fkey']],
  },
  {
    table: 'result',
    row: { ...request, version: 1, outcome: 'complete', body: empty, digest: empty },
    refused: [
      [{ request_id: NOTHING }, 'result_request_id_fkey'],
      [{ version: 0 }, 'ordinal_check'],
      [{ outcome: 'maybe' }, 'result_outcome_check'],
      [{ outcome: 'none' }, 'result_outcome_check'],
    ],
  },
  {
    table: 'known_answer',
    row: { ...request, seeded_by: 'stf_1', answer: empty },
    refused: [[{ request_id: NOTHING }, 'known_answer_request_id_fkey']],
  },
  {
    table: 'held_output',
    row: { id: 'held_1', reason: 'unmatched', ...request, digest: empty, body: empty, byte_count: 0 },
    refused: [
      [{ request_id: NOTHING }, 'held_output_request_id_fkey'],
      [{ reason: 'odd' }, 'hold_reason_check'],
      [{ byte_count: -1 }, 'tally_check'],
      [{ settled_by: 'key_1' }, 'held_output_settled'],
      [{ received_by: 'key_1', client: empty }, 'held_output_sender'],
      [{ other_request_ids: [] }, 'held_output_other_request_ids_check'],
      [{ status: 'lost', settled_at: at }, 'held_output_status_check'],
      [{ status: 'applied' }, 'held_output_settled'],
      [{ settled_at: at }, 'held_output_settled'],
    ],
  },
  {
    table: 'webhook_endpoint',
    row: {
      id: 'ep_1',
      ...account,
      reach: 'own',
      url: empty,
      destination_host: empty,
      types: ['request.answered'],
      secret: empty,
    },
    refused: [
      [{ account_id: NOTHING }, 'webhook_endpoint_account_id_fkey'],
      [{ reach: 'far' }, 'webhook_endpoint_reach_check'],
      [{ types: [] }, 'webhook_endpoint_types_check'],
      [{ told_hours: 3 }, 'webhook_endpoint_told_hours_check'],
      [{ previous_secret: empty }, 'webhook_endpoint_previous_secret'],
      [{ subscription: 'sub_1' }, 'webhook_endpoint_subscription'],
      [
        { subscription: 'sub_1', key_id: NOTHING, wanted: '{}', expires_at: at },
        'webhook_endpoint_key_id_fkey',
      ],
      [{ disabled_at: at }, 'webhook_endpoint_disabled'],
      [{ missed_from: at }, 'webhook_endpoint_missed'],
      [{ disabled_at: at, disabled_reason: 'odd' }, 'webhook_endpoint_disabled_reason_check'],
    ],
  },
  {
    table: 'work_notice',
    row: { endpoint_id: 'ep_1', payer_id: 'p', channel: 'c', at, count: 1, waiting_since: at },
    refused: [
      [{ endpoint_id: NOTHING }, 'work_notice_endpoint_id_fkey'],
      [{ count: -1 }, 'tally_check'],
    ],
  },
  {
    table: 'event',
    row: { id: 'evt_1', ...account, type: 'request.answered', subject_id: 'req_1', number: 1, body: '{}' },
    refused: [
      [{ account_id: NOTHING }, 'event_account_id_fkey'],
      [{ type: 'request.lost' }, 'event_type_check'],
      [{ number: 0 }, 'ordinal_check'],
    ],
  },
  {
    table: 'delivery',
    row: { id: 'msg_1', ...request, version: 1, ...account, destination: empty, destination_host: empty },
    refused: [
      [{ version: 2 }, 'delivery_request_id_version_fkey'],
      [{ request_id: NOTHING }, 'delivery_request_id_version_fkey'],
      [{ account_id: NOTHING }, 'delivery_account_id_fkey'],
      [{ status: 'lost', done_at: at }, 'delivery_status_check'],
      [{ status: 'delivered' }, 'delivery_end'],
      [{ status: 'exhausted', done_at: at }, 'delivery_reason'],
      [{ reason: 'webhook_gone' }, 'delivery_reason'],
      [{ attempt_count: -1 }, 'tally_check'],
      [{ round_attempt_count: -1 }, 'tally_check'],
      [{ done_at: at }, 'delivery_end'],
      [{ event_id: 'evt_1', endpoint_id: 'ep_1' }, 'delivery_carries'],
      [{ version: null }, 'delivery_carries'],
      [{ request_id: null, version: null, event_id: 'evt_1' }, 'delivery_carries'],
      [{ request_id: null, version: null, event_id: NOTHING, endpoint_id: 'ep_1' }, 'delivery_event_id_fkey'],
      [
        { request_id: null, version: null, event_id: 'evt_1', endpoint_id: NOTHING },
        'delivery_endpoint_id_fkey',
      ],
    ],
  },
  {
    table: 'delivery_queue',
    row: { destination_host: empty, ...account, run_at: at, delivery_id: 'msg_1', ...request },
    refused: [
      [{ delivery_id: NEVER }, 'delivery_queue_delivery_id_fkey'],
      [{ claim_count: -1 }, 'tally_check'],
      [{ lease: TOKEN }, 'delivery_queue_lease'],
      [{ leased_at: at, leased_until: at }, 'delivery_queue_lease'],
    ],
  },
  {
    table: 'delivery_attempt',
    row: { delivery_id: 'msg_1', number: 1, at, outcome: 'succeeded', duration_ms: 1 },
    refused: [
      [{ delivery_id: NEVER }, 'delivery_attempt_delivery_id_fkey'],
      [{ number: 0 }, 'ordinal_check'],
      [{ outcome: 'lost' }, 'sending_outcome_check'],
    ],
  },
];

import { createIndex, type OnlineMigration } from '../online/online-migration.ts';

/** Indexes over tables that hold years. Each is built beside their use, so no writer waits while one is read. */
export const indexesOfThePast: OnlineMigration = {
  steps: [
    // What hourly facts count next. Rows lie in the order of their times, so 24 bytes tell which times 32 pages hold, and
    // an insert writes no index.
    ...[
      ['request', 'received_at'],
      ['result', 'applied_at'],
      ['delivery_attempt', '(coalesce(recorded_at, at))'],
      ['x12_exchange', '(coalesce(recorded_at, started_at))'],
    ].map(([table, column]) =>
      createIndex(
        `${table}_counting`,
        `${table} using brin (${column}) with (pages_per_range = 32, autosummarize = on)`,
      ),
    ),
    createIndex('held_output_settled', 'held_output (settled_at) where settled_at is not null'),
    // A verifier's own day. Attempts over the API and of agents, by far the most, are not in it.
    createIndex(
      'verification_attempt_by_hand',
      `verification_attempt (key_id, ended_at) where channel in ('manual_web_portal', 'manual_phone_call')`,
    ),
    // Who is on the phone with a payer now.
    createIndex(
      'verification_attempt_on_call',
      'verification_attempt (key_id) where on_call_until is not null and ended_at is null',
    ),
  ],
};

import type pg from 'pg';

/**
 * What holds for every row of the tables that are kept by month. The service's database has no checks there, for what they
 * cost each statement; every test's database has these.
 */
const CHECKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  request: {
    request_channel_check:
      "channel in ('entry', 'api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')",
    request_outcome_check: "outcome in ('none', 'complete', 'error_verifying')",
    request_delivery_check: "delivery in ('none', 'pending', 'delivered', 'exhausted')",
    request_version_of_outcome: "(outcome = 'none') = (version = 0)",
    request_delivers_outcome: "outcome <> 'none' or delivery = 'none'",
    request_lease_until: '(lease_token is null) = (lease_until is null)',
    request_lease_of_unfinished: "outcome = 'none' or lease_token is null",
  },
  result: {
    result_outcome_check: "outcome in ('complete', 'error_verifying')",
    result_version_check: 'version > 0',
  },
  verification_attempt: {
    verification_attempt_channel_check:
      "channel in ('api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')",
    verification_attempt_outcome_check:
      "outcome in ('working', 'succeeded', 'failed', 'released', 'lease_expired', 'timed_out', 'superseded')",
    verification_attempt_end: "(outcome = 'working') = (ended_at is null)",
    verification_attempt_number_check: 'number > 0',
  },
  delivery: {
    delivery_status_check: "status in ('pending', 'delivered', 'exhausted', 'superseded')",
    delivery_end: "(status = 'pending') = (done_at is null)",
  },
  delivery_attempt: { delivery_attempt_number_check: 'number > 0' },
};

export async function addMonthChecks(client: pg.Client): Promise<void> {
  for (const [table, checks] of Object.entries(CHECKS))
    for (const [name, condition] of Object.entries(checks))
      await client.query(`alter table ${table} add constraint ${name} check (${condition})`);
}

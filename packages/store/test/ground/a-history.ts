import type { TestStores } from './open-test-stores.ts';

/**
 * Three days of random events, written as by the service but with times of the past: requests of these accounts, which
 * nobody can claim, their results and corrections, verifiers' attempts, X12 exchanges, webhook attempts and held outputs.
 */
export async function aHistory(
  { sql }: Pick<TestStores, 'sql'>,
  { accountIds, prefix, count }: { accountIds: readonly string[]; prefix: string; count: number },
): Promise<void> {
  const id = `'req_' || $1 || lpad(n::text, 20, '0')`;
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index, received_at, outcome, version, channel,
       needed_by)
     select ${id}, ($2::text[])[1 + n % cardinality($2::text[])], 'plan-' || n % 2, '', '', 0,
       now() - interval '3 days' + random() * (n > 1)::int * interval '2 days', drawn.outcome,
       (drawn.outcome <> 'none')::int, case when drawn.outcome <> 'none' then 'api' end,
       case when n % 2 = 0 then now() - interval '3 days' + random() * interval '2 days' end
     from generate_series(1, $3::int) n
     cross join lateral (
       select case when n % 7 = 0 then 'none' when n % 5 = 0 then 'error_verifying' else 'complete' end as outcome
     ) as drawn`,
    [prefix, accountIds, count],
  );
  const mine = `request.id like 'req_' || $1 || '%' and request.outcome <> 'none'`;
  const later = `exp(random() * 16) * interval '1 millisecond'`;
  await sql(
    `insert into result (request_id, version, outcome, body, digest, applied_at)
     select id, 1, outcome, '', '', received_at + ${later} from request where ${mine}`,
    [prefix],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest, applied_at)
     select request_id, 2, 'complete', '', '', applied_at + ${later}
     from result where request_id like 'req_' || $1 || '%' and random() < 0.1`,
    [prefix],
  );
  await sql(
    `insert into verification_attempt
       (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome, error_reason, result_version)
     select request.id, number, account_id, payer_id,
       case when number = 1 then 'api' when random() < 0.1 then null else 'manual_phone_call' end,
       ended.at - (number - 1) * ${later}, ended.at,
       case when number = 1 then (array['failed', 'released', 'lease_expired', 'timed_out'])[1 + floor(random() * 4)::int]
         when request.outcome = 'complete' then 'succeeded' else 'failed' end,
       case when number = 1 or request.outcome <> 'complete' then (array['member_not_found', 'payer_unavailable', null])[1 + floor(random() * 3)::int] end,
       case when number = 2 then 1 end
     from request join result on result.request_id = request.id and result.version = 1, generate_series(1, 2) as number
     cross join lateral (select case when number = 1 then request.received_at else result.applied_at end as at) as ended
     where ${mine}`,
    [prefix],
  );
  await sql(
    `insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code,
       error_reason, payer_codes, inquiry, answer, recorded_at, inquiry_number, dental_codes, medical_codes)
     select id, 1, account_id, payer_id, received_at, took.ms, (array[200, 503, null])[1 + floor(random() * 3)::int],
       (array['payer_unavailable', null])[1 + floor(random() * 2)::int], '{}', '', case when random() < 0.8 then ''::bytea end,
       received_at + (took.ms + random() * 7200000) * interval '1 millisecond', (array[1, 2, null])[1 + floor(random() * 3)::int],
       case when random() < 0.3 then array[3, 1, floor(random() * 3)::int, 4, 0]::smallint[] end,
       case when random() < 0.3 then array[1, 0, 1, 4, 0]::smallint[] end
     from request cross join lateral (select exp(random() * 11)::int + length(id) * 0 as ms) as took where ${mine}`,
    [prefix],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, status, accepted_at, done_at)
     select 'msg_' || substr(id, 5), id, 1, account_id, '', '', 'delivered', applied_at, applied_at
     from request join result on result.request_id = request.id and result.version = 1 where ${mine}`,
    [prefix],
  );
  await sql(
    `insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms, recorded_at)
     select delivery.id, number, wait.at, (array['succeeded', 'timeout', 'http_error'])[1 + floor(random() * 3)::int],
       (random() * 900)::int, wait.at + random() * interval '10 seconds'
     from delivery, generate_series(1, 3) as number
     cross join lateral (select accepted_at + number * ${later} as at) as wait
     where delivery.id like 'msg_' || $1 || '%'`,
    [prefix],
  );
  await sql(
    `insert into held_output (id, reason, request_id, digest, body, byte_count, received_at, status, settled_at)
     select 'held_' || $1 || row_number() over (), case when n % 2 = 0 then 'unmatched' else 'superseding' end,
       case when n % 2 = 0 then null else 'req_' || $1 || lpad(n::text, 20, '0') end, ($1 || n)::bytea, '', 0,
       drawn.at, drawn.status, case when drawn.status <> 'held' then drawn.at + ${later} end
     from generate_series(1, $2::int / 10) n
     cross join lateral (select now() - interval '3 days' + random() * interval '2 days' as at,
       (array['held', 'applied', 'dismissed'])[1 + n % 3] as status) as drawn`,
    [prefix, count],
  );
}

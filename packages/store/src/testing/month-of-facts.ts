import { withClient } from './create-test-database.ts';

export interface Month {
  /** In addition to the facts of all live accounts. */
  readonly accountIds: readonly string[];
  readonly payerCount: number;
  readonly hourCount: number;
  /** Requests an hour over all accounts and payers. */
  readonly requestCount: number;
}

/**
 * The facts of a month that ends now, as counting would have left them: for each account, payer and hour the kinds with
 * their channels and reasons, and the same again for all accounts, with the histogram that so many durations fill.
 * Nothing is left to be counted.
 * @returns how many rows these are.
 */
export function monthOfFacts(
  connectionString: string,
  { accountIds, payerCount, hourCount, requestCount }: Month,
): Promise<number> {
  return withClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query<{ count: number }>(MONTH, [
      accountIds,
      payerCount,
      hourCount,
      requestCount,
    ]);
    await client.query(`update fact_progress set counted_until = now(), event_count = 100000`);
    await client.query('analyze hourly_fact');
    return rows[0]?.count ?? 0;
  });
}

const MONTH = `with kind (kind, channel, reason, share, is_timed, ms) as (values
       ('received', '', '', 1.0, false, 0),
       ('completed', 'api', '', 0.55, true, 2500), ('completed', 'agent_web_portal', '', 0.2, true, 240000),
       ('completed', 'manual_phone_call', '', 0.15, true, 5400000),
       ('not_verified', 'api', 'member_not_found', 0.04, true, 2500),
       ('not_verified', 'manual_phone_call', 'no_human_in_time', 0.03, true, 9000000),
       ('not_verified', 'manual_phone_call', 'payer_unavailable', 0.02, true, 9000000),
       ('attempt_succeeded', 'api', '', 0.55, true, 2000), ('attempt_succeeded', 'agent_web_portal', '', 0.2, true, 90000),
       ('attempt_succeeded', 'manual_phone_call', '', 0.15, true, 900000),
       ('attempt_failed', 'api', 'payer_unavailable', 0.1, true, 9000),
       ('attempt_failed', 'agent_web_portal', 'portal_two_factor', 0.05, true, 60000),
       ('payer_answered', 'api', '', 0.6, true, 2200), ('payer_silent', 'api', 'payer_unavailable', 0.05, true, 20000),
       ('sent', '', 'succeeded', 0.98, true, 120), ('sent', '', 'timeout', 0.02, true, 10000),
       ('delivered', '', '', 0.98, true, 400)
     ), place (account_id, n) as (
       select id, ($4::float8 / nullif(cardinality($1::text[]), 0)) from unnest($1::text[]) as id union all select 'live', $4::float8
     ), fact as (
       select place.account_id, kind.*, hour, case when kind in ('sent', 'delivered') then '' else 'plan-' || payer end as payer_id,
         place.n * share / case when kind in ('sent', 'delivered') then 1 else $2 end as expected
       from place, kind, generate_series(1, $2::int) as payer,
         generate_series(date_trunc('hour', now()) - make_interval(hours => $3::int - 1), date_trunc('hour', now()), interval '1 hour') as hour
       where kind not in ('sent', 'delivered') or payer = 1
     ), counted as (
       -- Fewer than one expected: present that often.
       select fact.*, case when expected >= 1 then round(expected)::int else (random() < expected)::int end as count from fact
     ), written as (
       insert into hourly_fact (account_id, kind, hour, payer_id, channel, reason, count, sum_ms, max_ms, buckets, bucket_counts)
       select account_id, kind, hour, payer_id, channel, reason, count, count::bigint * ms, ms * 9,
         case when is_timed then (select array_agg(bucket) from generate_series(middle - width, middle + width) as bucket) end,
         case when is_timed then array_fill(greatest(count / (2 * width + 1), 1), array[2 * width + 1]) end
       from counted
       cross join lateral (select least(12, (count - 1) / 2) as width, round(8 * ln(greatest(ms, 1) / 20000.0) / ln(2))::int as middle) as shape
       where count > 0
       order by hour
       returning 1
     ) select count(*)::int as count from written`;

import type { PayerResponseTimes } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import type { Store } from '../open-store.ts';

/** The 20 seconds of the CORE rule, in milliseconds. */
const RULE_MS = 20_000;

/** Response times by payer, for inquiries sent in [`from`, `until`), including those never answered. */
export async function measureResponseTimes(
  { db }: Store,
  { caller, from, until }: { readonly caller: Caller; readonly from: Date; readonly until: Date },
): Promise<PayerResponseTimes[]> {
  const answered = sql`filter (where status_code between 200 and 299 and answer is not null)`;
  const { rows } = await sql<PayerResponseTimes>`
    select payer_id, count(*)::int as inquiry_count,
      count(*) filter (where status_code between 200 and 299 and answer is not null and duration_ms <= ${RULE_MS})::float8
        / count(*)::float8 as within_20_seconds_share,
      percentile_disc(0.5) within group (order by duration_ms) ${answered} as p50_ms,
      percentile_disc(0.9) within group (order by duration_ms) ${answered} as p90_ms,
      max(duration_ms) ${answered} as slowest_ms
    from x12_exchange
    where started_at >= ${from} and started_at < ${until} and ${within(caller, 'account_id')}
    group by payer_id order by payer_id`.execute(db);
  return rows;
}

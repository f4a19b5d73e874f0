import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import type { Store } from '../open-store.ts';

/** How fast one payer answered over X12 in a span of time. */
export interface ResponseTimes {
  readonly payerId: string;
  /** Inquiries sent, also those that were never answered. */
  readonly inquiryCount: number;
  /** Of them, answered within 20 seconds. */
  readonly within20SecondsCount: number;
  /** Of the answered ones; null when none was. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly slowestMs: number | null;
}

/** The 20 seconds of the CORE rule, in milliseconds. */
const RULE_MS = 20_000;

/** Response times by payer, for inquiries sent from `from` on and before `until`. */
export async function measureResponseTimes(
  { db }: Store,
  { caller, from, until }: { readonly caller: Caller; readonly from: Date; readonly until: Date },
): Promise<ResponseTimes[]> {
  const answered = sql`filter (where status_code between 200 and 299 and answer is not null)`;
  const { rows } = await sql<ResponseTimes>`
    select payer_id as "payerId",
      count(*)::int as "inquiryCount",
      count(*) filter (where status_code between 200 and 299 and answer is not null and duration_ms <= ${RULE_MS})::int
        as "within20SecondsCount",
      percentile_disc(0.5) within group (order by duration_ms) ${answered} as "p50Ms",
      percentile_disc(0.9) within group (order by duration_ms) ${answered} as "p90Ms",
      max(duration_ms) ${answered} as "slowestMs"
    from x12_exchange
    where started_at >= ${from} and started_at < ${until} and ${within(caller, 'account_id')}
    group by payer_id order by payer_id`.execute(db);
  return rows;
}

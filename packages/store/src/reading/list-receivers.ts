import type { AttemptOutcome, Receiver } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountModeOf } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { IS_LISTED, LAST_ATTEMPT } from '../delivery/delivery-filter.ts';
import { isPaused } from '../delivery/receivers.ts';
import type { Store } from '../open-store.ts';
import { openHost } from './search-deliveries.ts';

/** Receivers in one answer: those with the most given up, then those that are paused, then those with the most waiting. */
const RECEIVERS_MAX = 200;

/** Deliveries of one receiver that wait, or were given up, are counted up to here. */
const COUNT_MAX = 10_000;

interface Row {
  readonly id: string;
  readonly endpoint_id: string | null;
  readonly account_id: string;
  readonly destination: Buffer;
  readonly taken_count: number;
  readonly failed_count: number;
  readonly waiting_count: number;
  readonly given_up_count: number;
  readonly last_attempt_at: Date;
  readonly last_outcome: AttemptOutcome | null;
  readonly last_status_code: number | null;
  readonly paused_since: Date | null;
  readonly endpoint_failing_since: Date | null;
  readonly next_try_at: Date | null;
  readonly account_mode: 'live' | 'test';
}

/**
 * The receivers of the last day, and those for which something waits or was given up, as far as the caller reaches: a caller of test
 * accounts sees what these sent. One whose stored address does not open, or is erased, has no name. Nothing is recorded: no
 * request is shown.
 */
export async function listReceivers(
  { db, vault }: Store,
  { caller }: { readonly caller: Caller },
): Promise<Receiver[]> {
  const { rows } = await sql<Row>`
    select delivery.id, delivery.endpoint_id, delivery.account_id, delivery.destination, receiver.last_attempt_at, ${accountModeOf('delivery.account_id')} as account_mode,
      day.taken_count, day.failed_count, waiting.waiting_count, waiting.first_run_at,
      given_up.given_up_count, last.outcome as last_outcome, last.status_code as last_status_code,
      case when ${isPaused} then receiver.paused_since end as paused_since,
      (select min(failing_since) from webhook_endpoint as endpoint
        where endpoint.destination_host = receiver.destination_host and ended_at is null and told_hours > 0
          and ${within(caller, 'endpoint.account_id')}) as endpoint_failing_since,
      case when ${isPaused} then greatest(receiver.next_try_at, waiting.first_run_at)
        else waiting.first_run_at end as next_try_at
    from receiver join delivery on delivery.id = receiver.delivery_id ${LAST_ATTEMPT}
    cross join lateral (
      select coalesce(sum(taken_count), 0)::int as taken_count, coalesce(sum(failed_count), 0)::int as failed_count
      from receiver_hour
      where receiver_hour.destination_host = receiver.destination_host and mode = ${caller.onlyMode ?? caller.mode}
        and hour > now() - interval '1 day'
    ) as day
    cross join lateral (
      select count(*)::int as waiting_count, min(run_at) as first_run_at
      from (
        select run_at from delivery_queue as queued
        where queued.destination_host = receiver.destination_host and ${within(caller, 'queued.account_id')}
        limit ${COUNT_MAX}
      ) as one
    ) as waiting
    cross join lateral (
      select count(*)::int as given_up_count
      from (
        select from delivery
        where delivery.destination_host = receiver.destination_host and exhausted_at is not null and ${IS_LISTED}
          and ${within(caller, 'delivery.account_id')}
        limit ${COUNT_MAX}
      ) as one
    ) as given_up
    where (waiting.waiting_count > 0 or given_up.given_up_count > 0 or day.taken_count + day.failed_count > 0)
      and ${caller.mode === 'live' && caller.onlyMode === undefined ? sql`true` : within(caller, 'delivery.account_id')}
    order by given_up.given_up_count desc, ${isPaused} desc, waiting.waiting_count desc, receiver.last_attempt_at desc
    limit ${RECEIVERS_MAX}`.execute(db);
  return Promise.all(
    rows.map(async (row) => ({
      host: await openHost(vault, row),
      taken_count: row.taken_count,
      failed_count: row.failed_count,
      waiting_count: row.waiting_count,
      given_up_count: row.given_up_count,
      last_attempt_at: row.last_attempt_at.toISOString(),
      last_outcome: row.last_outcome,
      last_status_code: row.last_status_code,
      paused_since: row.paused_since?.toISOString() ?? null,
      endpoint_failing_since: row.endpoint_failing_since?.toISOString() ?? null,
      account_mode: row.account_mode,
      next_try_at: row.next_try_at?.toISOString() ?? null,
    })),
  );
}

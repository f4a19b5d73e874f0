import type { Receiver } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { isLeftAlone } from '../../delivery/receivers/note-breaker.ts';
import type { Store } from '../../open-store.ts';
import { openHost } from './open-summary.ts';

/** Receivers in one answer: those left alone, then those with the most waiting. */
const RECEIVERS_MAX = 200;

/** Waiting deliveries of one receiver are counted up to here. */
const WAITING_MAX = 10_000;

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly destination: Buffer;
  readonly taken_count: number;
  readonly failed_count: number;
  readonly waiting_count: number;
  readonly last_attempt_at: Date;
  readonly left_alone_since: Date | null;
  readonly next_try_at: Date | null;
}

/**
 * The receivers of the last day, and those for which something waits, as far as the caller reaches: a caller of test
 * accounts sees what these sent. One whose stored address does not open, or is erased, has no name. Nothing is recorded: no
 * request is shown.
 */
export async function listReceivers(
  { db, vault }: Store,
  { caller }: { readonly caller: Caller },
): Promise<Receiver[]> {
  const { rows } = await sql<Row>`
    select delivery.id, delivery.account_id, delivery.destination, receiver.last_attempt_at,
      day.taken_count, day.failed_count, waiting.waiting_count, waiting.first_run_at,
      case when ${isLeftAlone} then receiver.left_alone_since end as left_alone_since,
      case when ${isLeftAlone} then greatest(receiver.next_try_at, waiting.first_run_at)
        else waiting.first_run_at end as next_try_at
    from receiver join delivery on delivery.id = receiver.delivery_id
    cross join lateral (
      select coalesce(sum(taken_count), 0)::int as taken_count, coalesce(sum(failed_count), 0)::int as failed_count
      from receiver_hour
      where receiver_hour.destination_host = receiver.destination_host and mode = ${caller.mode}
        and hour > now() - interval '1 day'
    ) as day
    cross join lateral (
      select count(*)::int as waiting_count, min(run_at) as first_run_at
      from (
        select run_at from delivery_queue as queued
        where queued.destination_host = receiver.destination_host and ${within(caller, 'queued.account_id')}
        limit ${WAITING_MAX}
      ) as one
    ) as waiting
    where (waiting.waiting_count > 0 or day.taken_count + day.failed_count > 0)
      and ${caller.mode === 'live' ? sql`true` : within(caller, 'delivery.account_id')}
    order by ${isLeftAlone} desc, waiting.waiting_count desc, receiver.last_attempt_at desc
    limit ${RECEIVERS_MAX}`.execute(db);
  return Promise.all(
    rows.map(async (row) => ({
      host: await openHost(vault, row),
      taken_count: row.taken_count,
      failed_count: row.failed_count,
      waiting_count: row.waiting_count,
      last_attempt_at: row.last_attempt_at.toISOString(),
      left_alone_since: row.left_alone_since?.toISOString() ?? null,
      next_try_at: row.next_try_at?.toISOString() ?? null,
    })),
  );
}

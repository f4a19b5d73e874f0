import type { VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { actorColumns } from '../../access/record-access.ts';
import { prepared } from '../../functions/prepared-call.ts';
import type { RequestModelRow } from '../../intake/read-request.ts';
import { PAIR_LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { PAGE_BYTES_MAX } from '../../page.ts';
import type { Pool, Route } from '../../tables/intake.ts';
import { leaseWorkFunction } from './lease-work.sql.ts';

interface LeaseClaim {
  readonly caller: Caller;
  /** The routes of the payers to work for. */
  readonly routes: readonly Route[];
  readonly leaseSeconds: number;
  /** The operation's name in the access log. */
  readonly operation: 'work.claim' | 'work.claimRequest';
}

export interface LeasedRow extends RequestModelRow {
  account_id: string;
  payer_id: string;
  lease_channel: VerificationSource;
  lease_token: string;
  lease_until: Date;
  attempt_number: number;
  service_date: Buffer | null;
  gender: Buffer | null;
  needed_by: Date | null;
  of_batch: boolean;
}

export interface LeasedRows {
  /** All candidates: the leased requests and the remaining ones. */
  readonly candidateCount: number;
  readonly leased: readonly LeasedRow[];
}

const leaseWork = sql.raw(leaseWorkFunction.name);

interface Choice {
  /**
   * Selects the requests to try, in the order of `place`: `id`, `queue`, `channel`, `seconds_max` and
   * `attempt_count_max`, and on each row `candidate_count`.
   */
  readonly chosen: RawBuilder<unknown>;
  readonly pool: Pool;
  readonly limit: number;
  /** The candidates are one named request: if another transaction has it locked, the claim waits. */
  readonly isNamed: boolean;
}

/** Leases the chosen requests, and records the attempts, the access and that the accounts were served. */
export async function leaseChosen(
  store: Store,
  claim: LeaseClaim,
  { chosen, pool, limit, isNamed }: Choice,
): Promise<LeasedRows> {
  const { caller } = claim;
  const by = actorColumns(caller.by);
  const statement = sql<{ candidate_count: number } & (LeasedRow | { id: null })>`
    with listed as (
      select array_agg(id order by place) as ids, array_agg(queue order by place) as queues,
        array_agg(channel order by place) as channels, array_agg(seconds_max order by place) as seconds_max,
        array_agg(attempt_count_max order by place) as attempt_counts_max,        coalesce(max(candidate_count), 0)::int as candidate_count
      from ${chosen} as chosen
    )
    select (select candidate_count from listed) as candidate_count, leased.*
    from (select) as always left join (
      select leased.* from listed cross join lateral ${leaseWork}(
        ids, queues, channels, seconds_max, attempt_counts_max, ${pool}, ${isNamed}, ${limit},
        ${PAGE_BYTES_MAX}, ${claim.leaseSeconds}, ${caller.keyId}, ${caller.accountId}, ${claim.operation},
        ${by.actor_name}, ${by.session_id}, ${by.address}, ${by.emergency}
      ) as leased
      where ids is not null
    ) as leased on true
    order by leased.place ${isNamed ? sql`` : prepared}`;
  const capped = claim.routes.filter((route) => route.inFlightCountMax !== null);
  const { rows } =
    capped.length === 0
      ? await statement.execute(store.db)
      : await store.db.transaction().execute(async (trx) => {
          // One claimer per capped payer at a time: two that count concurrently would both take the last lease.
          for (const payerId of capped.map((route) => route.payerId).toSorted()) {
            await sql`select pg_advisory_xact_lock(${PAIR_LOCKS.payerCap}, hashtext(${payerId}))`.execute(
              trx,
            );
          }
          return statement.execute(trx);
        });
  return {
    candidateCount: rows[0]?.candidate_count ?? 0,
    leased: rows.filter((row): row is LeasedRow & { candidate_count: number } => row.id !== null),
  };
}

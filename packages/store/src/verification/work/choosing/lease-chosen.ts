import type { VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../../access/caller.ts';
import type { RequestModelRow } from '../../../intake/request-row.ts';
import type { Store } from '../../../open-store.ts';
import type { Route } from '../../route.ts';
import { endLapsedAttemptFunction } from './end-lapsed-attempt.sql.ts';
import { noteServedFunction } from './note-served.sql.ts';

export interface LeaseClaim {
  readonly caller: Caller;
  /** The routes of the payers to work for. */
  readonly routes: readonly Route[];
  readonly leaseSeconds: number;
  /** The operation's name in the access log. */
  readonly operation: 'work.claim' | 'work.claimRequest';
}

export interface LeasedRow extends RequestModelRow {
  place: number;
  account_id: string;
  payer_id: string;
  lease_channel: VerificationSource;
  lease_token: string;
  lease_until: Date;
  verification_attempt_count: number;
}

export interface LeasedRows {
  /** The leased requests and the ones left. */
  readonly candidateCount: number;
  readonly leased: readonly LeasedRow[];
}

const endLapsedAttempt = sql.raw(endLapsedAttemptFunction.name);
const noteServed = sql.raw(noteServedFunction.name);

/**
 * Leases the requests chosen by common tables, and records the attempts, the access and that the accounts were served.
 * @param tables common tables, among them `chosen`, the locked requests, and `allowed`, the candidates they were chosen
 * from.
 */
export async function leaseChosen(
  store: Store,
  claim: LeaseClaim,
  tables: RawBuilder<unknown>,
): Promise<LeasedRows> {
  const { caller } = claim;
  const statement = sql<{ candidate_count: number } & (LeasedRow | { id: null })>`
    with recursive ${tables},
    leased as (
      update request set
        lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => ${claim.leaseSeconds}),
        channel = chosen.channel,
        channel_entered_at = case when chosen.queue = chosen.channel then channel_entered_at else now() end,
        channel_until = case when chosen.queue = chosen.channel then channel_until
          else now() + make_interval(secs => chosen.seconds_max) end,
        channel_attempt_count = case when chosen.queue = chosen.channel then channel_attempt_count else 0 end + 1,
        verification_attempt_count = verification_attempt_count + 1
      from chosen where request.id = chosen.id
      returning chosen.place, chosen.lapsed_at, request.id, request.account_id, request.payer_id, request.channel as lease_channel,
        request.lease_token, request.lease_until, request.verification_attempt_count, request.input,
        request.received_at, request.outcome, request.outcome_reason, request.delivery, request.delivery_reason
    ), attempted as (
      insert into verification_attempt (request_id, number, account_id, payer_id, channel, key_id)
      select id, verification_attempt_count, account_id, payer_id, lease_channel, ${caller.keyId} from leased
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id)
      select ${caller.keyId}, ${caller.accountId}, ${claim.operation}, id from leased
    )
    select (select count(*)::int from allowed) as candidate_count, leased.*,
      (select ${noteServed}(array_agg(distinct account_id)) from leased) as served, case when lapsed_at is not null
      then ${endLapsedAttempt}(id, lapsed_at, verification_attempt_count) end as lapsed_ended
    from (select) as always left join leased on true
    order by leased.place`;
  const capped = claim.routes.filter((route) => route.inFlightCountMax !== null);
  const { rows } =
    capped.length === 0
      ? await statement.execute(store.db)
      : await store.db.transaction().execute(async (trx) => {
          // One claimer per capped payer at a time: two that count concurrently would both take the last place.
          for (const payerId of capped.map((route) => route.payerId).toSorted()) {
            await sql`select pg_advisory_xact_lock(${CAP_LOCK}, hashtext(${payerId}))`.execute(trx);
          }
          return statement.execute(trx);
        });
  return {
    candidateCount: rows[0]?.candidate_count ?? 0,
    leased: rows.filter((row): row is LeasedRow & { candidate_count: number } => row.id !== null),
  };
}

/** A number unlikely to be another lock's. */
const CAP_LOCK = 7_164_306;

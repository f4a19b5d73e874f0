import type { HeldLease, VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { withinChannels } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { uncountFailure } from '../../facts/uncount-failure.ts';
import { channelEndFunction } from '../../intake/insert-requests.sql.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import { PAIR_LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { type Route, secondsAhead } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { readLeased, readStanding } from './claim-request.ts';
import { type ClaimedWork, openClaimed } from './claim-work.ts';
import type { LeasedRow } from './lease-chosen.ts';

interface TakingBack {
  readonly caller: Caller;
  readonly requestId: string;
  readonly routes: readonly Route[];
  readonly leaseSeconds: number;
}

type TakenBack =
  | { readonly kind: 'claimed'; readonly work: ClaimedWork }
  /** `not_claimable`: no failure of the caller moved it where it waits, or its payer's cap on leases is reached. */
  | { readonly kind: 'not_found' | 'finished' | 'erased' | 'not_claimable' }
  | { readonly kind: 'leased'; readonly lease: HeldLease };

/**
 * Whether an attempt is the caller's failure that moved its request to the channel where it waits since, untouched: both
 * have the time of one transaction. A condition on `verification_attempt` under the given name.
 */
export const isTakenBackBy = (caller: Caller, attempt: string): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${attempt}.${column}`);
  return sql<boolean>`(${of('outcome')} = 'failed' and ${of('result_version')} is null
    and ${of('key_id')} = ${caller.keyId} and ${withinChannels(caller, `${attempt}.channel`)}
    and exists (
      select from work_queue as moved where moved.request_id = ${of('request_id')}
        and moved.channel_entered_at = ${of('ended_at')} and moved.pool <> 'canceled'
        and coalesce(moved.leased_until <= now(), true))
    and not exists (
      select from verification_attempt as later
      where later.request_id = ${of('request_id')} and later.number > ${of('number')}))`;
};

/**
 * Reverses the failure with which the caller passed a request to the next channel, while no verifier has leased it there.
 * The request is in its channel again, which has its whole time, leased by the caller. The attempt continues as if it had
 * not ended: it does not count as failed, and its evidence is gone.
 */
export async function takeBackWork(store: Store, taking: TakingBack): Promise<TakenBack> {
  const { caller, requestId, routes } = taking;
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const standing = await readStanding(store, taking);
  if (!standing) return { kind: 'not_found' };
  if (standing.kind !== 'free') return standing;
  const route = routes.find(({ payerId }) => payerId === standing.payerId);
  const row = route && (await store.db.transaction().execute((trx) => takeBack(trx, taking, route)));
  const [work] = row ? await openClaimed(store, [row]) : [];
  if (work) return { kind: 'claimed', work };
  const now = await readStanding(store, { caller, requestId });
  return !now || now.kind === 'free' ? { kind: 'not_claimable' } : now;
}

async function takeBack(
  trx: Transaction<Tables>,
  { caller, requestId, leaseSeconds }: TakingBack,
  route: Route,
): Promise<LeasedRow | null> {
  // As a claim does, before the request: of two, one takes the last place of a capped payer.
  if (route.inFlightCountMax !== null)
    await sql`select pg_advisory_xact_lock(${PAIR_LOCKS.payerCap}, hashtext(${route.payerId}))`.execute(trx);
  const locked = await lockRequest(trx, requestId, caller);
  if (!locked) return null;
  const { rows } = await sql<{ number: number; channel: VerificationSource }>`
    select number, channel from verification_attempt as failed
    where request_id = ${requestId} and ${isTakenBackBy(caller, 'failed')}
      and coalesce((
        select count(*) < ${route.inFlightCountMax}::int from work_queue as leased
        where leased.payer_id = failed.payer_id and leased.leased_until > now()
          and leased.pool = (select pool from work_queue where request_id = ${requestId})), true)`.execute(
    trx,
  );
  const [failed] = rows;
  const channel = route.channels.find(({ source }) => source === failed?.channel);
  if (!failed || !channel) return null;
  const { number } = failed;
  await uncountFailure(trx, { requestId, number });
  const lease = await trx
    .updateTable('work_queue')
    .set({
      channel: channel.source,
      channel_entered_at: sql<Date>`now()`,
      channel_until: sql<Date>`${sql.raw(channelEndFunction.name)}(${secondsAhead(route, channel)}, needed_by)`,
      attempt_count: sql<number>`(
        select count(*) from verification_attempt as counted
        where counted.request_id = ${requestId} and counted.channel = ${channel.source}
          and counted.outcome not in ('released', 'call_back', 'timed_out'))`,
      lease: sql<string>`gen_random_uuid()`,
      leased_at: sql<Date>`now()`,
      leased_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})`,
      postponed: false,
    })
    .where('request_id', '=', requestId)
    .returning([sql<string>`lease`.as('token'), sql<Date>`leased_until`.as('until')])
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('verification_attempt')
    .set({
      outcome: 'working',
      ended_at: null,
      error_reason: null,
      evidence: null,
      on_call_until: null,
      in_portal: false,
      lease_hash: sql<Buffer>`sha256(convert_to(${lease.token}, 'UTF8'))`,
    })
    .where('request_id', '=', requestId)
    .where('number', '=', number)
    .execute();
  await recordAccess(trx, { caller, operation: 'work.takeBack', requestIds: [requestId] });
  return readLeased(trx, {
    id: requestId,
    lease_channel: channel.source,
    lease_token: lease.token,
    lease_until: lease.until,
    attempt_number: number,
    of_batch: locked.batch_id !== null,
  });
}

import { sql } from 'kysely';
import { keepUntilFunction } from '../intake/insert-requests.sql.ts';
import type { Store } from '../open-store.ts';
import { keepingOf, type Route } from '../tables/intake.ts';

/** A payer whose API does not answer. */
export interface PayerOutage {
  readonly payerId: string;
  /** Its first failure in a row. */
  readonly since: Date;
  /** This call took the probe that was due: one request may ask the payer. */
  readonly mayProbe: boolean;
}

/** Seconds from the judgement, or a probe, to the next probe: doubled each time, up to the last. */
const PROBE_SECONDS = { first: 15, last: 120 } as const;

/** The payers of these whose API does not answer. A probe that is due is taken: it is due again later. */
export async function takeProbes({ db }: Store, payerIds: readonly string[]): Promise<PayerOutage[]> {
  const { rows } = await sql<{ payer_id: string; since: Date; may_probe: boolean }>`
    with taken as (
      update payer_outage set probe_count = probe_count + 1, next_probe_at = now() + make_interval(secs =>
          least(${PROBE_SECONDS.last}, ${PROBE_SECONDS.first} * power(2, least(probe_count + 1, 10)))::float8)
      where payer_id = any (${payerIds}) and ended_at is null
        and not next_probe_at between now() and now() + make_interval(secs => ${PROBE_SECONDS.last} + 5) -- the clock was set back
      returning payer_id
    )
    select payer_id, since, payer_id in (select payer_id from taken) as may_probe
    from payer_outage where payer_id = any (${payerIds}) and ended_at is null`.execute(db);
  return rows.map(({ payer_id: payerId, since, may_probe: mayProbe }) => ({ payerId, since, mayProbe }));
}

interface FoundOutage {
  readonly payerId: string;
  /** Seconds since its first failure in a row. */
  readonly sinceSeconds: number;
  readonly failureCount: number;
}

/** Judges that a payer's API does not answer, or counts another failure of one that was judged so. */
export async function noteUnanswered(
  { db }: Store,
  { payerId, sinceSeconds, failureCount }: FoundOutage,
): Promise<void> {
  await sql`
    insert into payer_outage (payer_id, since, failure_count, next_probe_at)
    values (${payerId}, now() - make_interval(secs => ${sinceSeconds}), ${failureCount},
      now() + make_interval(secs => ${PROBE_SECONDS.first}))
    on conflict (payer_id) where ended_at is null do update
      set failure_count = payer_outage.failure_count + excluded.failure_count`.execute(db);
}

/** Requests that one statement returns to the channel `api`. */
const RETURNED_COUNT = 1_000;

/**
 * Ends a payer's outage, since it answered. What it did not answer before is due now, also after the clock was set back.
 * What left the channel `api` only for the outage and is not worked on goes back, and has its time to wait again.
 * @returns how many requests went back.
 */
export async function noteAnswered(store: Store, route: Route): Promise<number> {
  await sql`
    update payer_outage set ended_at = greatest(now(), since) where payer_id = ${route.payerId} and ended_at is null`.execute(
    store.db,
  );
  await sql`
    update work_queue set postponed = false, waits_since = least(waits_since, now())
    where request_id in (
      select request_id from work_queue
      where pool = 'live' and payer_id = ${route.payerId} and channel = 'api' and postponed
      for no key update skip locked
    )`.execute(store.db);
  let count = 0;
  for (;;) {
    const returned = await returnToApi(store, route, RETURNED_COUNT);
    count += returned;
    if (returned < RETURNED_COUNT) break;
  }
  await sql`select pg_notify('work_due', '')`.execute(store.db);
  return count;
}

/**
 * Returns one request to the channel `api` that left it only for its payer's outage, so that a probe can be made when
 * nothing else waits. Its time there is over: unless the payer answers, it goes to the next channel at once.
 */
export async function returnOneToProbe(store: Store, route: Route): Promise<number> {
  return returnToApi(store, route, 1, { isForProbe: true });
}

async function returnToApi(
  { db }: Store,
  route: Route,
  limit: number,
  { isForProbe = false } = {},
): Promise<number> {
  const keeping = keepingOf(
    route,
    route.channels.find(({ source }) => source === 'api'),
  );
  if (!keeping) return 0;
  const { numAffectedRows } = await sql`
    update work_queue set channel = 'api', channel_entered_at = now(), attempt_count = 0, returns_to_api = false,
      lease = null, leased_at = null, leased_until = null, channel_until = case when ${isForProbe} then now()
        else ${sql.raw(keepUntilFunction.name)}(${keeping.seconds}, ${keeping.isLast}, now(), needed_by, batch_id is not null) end
    where request_id in (
      select request_id from work_queue
      where payer_id = ${route.payerId} and returns_to_api and pool = 'live' and leased_until is null and attempt_count = 0
        and not postponed
      order by turn_at limit ${limit} for no key update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The payers whose API does not answer now, and since when. */
export async function readOutages({ db }: Store): Promise<{ payerId: string; since: Date }[]> {
  const rows = await db
    .selectFrom('payer_outage')
    .select(['payer_id', 'since'])
    .where('ended_at', 'is', null)
    .execute();
  return rows.map(({ payer_id: payerId, since }) => ({ payerId, since }));
}

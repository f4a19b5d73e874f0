import type { Endpoint } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { toEndpoint } from '../events/endpoints.ts';
import { handOverMade, pauseMade } from '../events/made-endpoints.ts';
import { writeEvent } from '../events/write-event.ts';
import type { Store } from '../open-store.ts';
import { readRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { returnWorkOf } from '../verification/work/return-work.ts';

// What ends with a key or a person. Its calls, streams, sessions and subscriptions look it up again each time, and end by
// themselves; leases, call-backs and endpoints are rows, which stay unless they are changed.
//
// | what ended                | its leases and call-backs       | the endpoints that it made            |
// |---------------------------|---------------------------------|---------------------------------------|
// | key revoked, person ended | are any verifier's in a second  | paused, or handed to the successor    |
// | key ended by its date     | are any verifier's in a second  | handed to the account                 |
// | account suspended         | are any verifier's in a second  | rest until it is resumed              |
//
// `keepEnded` takes back the work, and not the transaction that ends the key: that one would wait for whoever has a
// request locked, and a stolen key is revoked now.

interface EndedHolder {
  readonly id: string;
  /** The key or person that takes its endpoints over; null for none: they are paused. */
  readonly successorId: string | null;
  /** It is a key that had ended by its date already: its endpoints are the account's. */
  readonly isExpired?: boolean;
}

/**
 * Pauses the endpoints that a key or person made, or hands them over, in the transaction that ends it. Repeating it
 * changes nothing, except that a successor takes over what was paused.
 * @returns the endpoints, as they are now.
 */
export async function settleEndpoints(
  { db, vault }: { readonly db: Transaction<Tables>; readonly vault: Store['vault'] },
  { id, successorId, isExpired = false }: EndedHolder,
): Promise<Endpoint[]> {
  const rows =
    successorId !== null || isExpired
      ? await handOverMade(db, id, successorId)
      : await pauseMade({ db, vault }, id);
  return Promise.all(rows.map((row) => toEndpoint({ db, vault }, row)));
}

/** What the audit says of the endpoints of a key or person that ended. */
export const detailsOf = (successorId: string | null, endpoints: readonly Endpoint[]) => ({
  before: null,
  after: { successor: successorId, endpoints: endpoints.map(({ endpoint_id: id }) => id) },
});

/**
 * Takes back the work of the keys and people that ended in the last seconds, hands the endpoints of a key that ended by
 * its date to its account, and pauses what another process still created for a revoked key in the second for which it
 * may reuse its look-up of it. Any process may call it at any time.
 */
export async function keepEnded({ db, vault }: Store, withinSeconds: number): Promise<void> {
  const { rows } = await sql<{ id: string; how: 'ended' | 'expired' | 'suspended' }>`
    with since as (select now() - make_interval(secs => ${withinSeconds}) as at)
    select id, 'ended' as how from api_key, since where revoked_at > since.at
    union all select id, 'ended' from staff, since where ended_at > since.at
    union all select id, 'expired' from api_key, since
      where revoked_at is null and expires_at > since.at and expires_at <= now()
    union all select holder.id, 'suspended' from account, since, lateral (
        select id from api_key where account_id = account.id union all select id from staff where account_id = account.id
      ) as holder where suspended_at > since.at`.execute(db);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await db.transaction().execute((trx) => returnWorkOf(trx, ids));
  for (const { id, how } of rows) {
    if (how === 'ended') await db.transaction().execute((trx) => pauseMade({ db: trx, vault }, id));
    if (how === 'expired') await handOverMade(db, id, null);
  }
}

/** Days before a key's end at which an event says so: a key is replaced in a week, and this is twice that. */
const EXPIRY_NOTICE_DAYS = 14;

/** Keys that one call reports; the next call reports the rest. */
const NOTICE_LIMIT = 100;

/**
 * Writes the event `key.expiring` of each key that ends by its date within 14 days, once; a suspended account's when it
 * is resumed. Any process may call it at any time; a key that another one reports is skipped.
 * @returns how many were written.
 */
export async function reportExpiringKeys({ db, vault }: Store): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows: found } = await sql<{ id: string }>`
      select api_key.id from api_key join account on account.id = api_key.account_id
      where revoked_at is null and suspended_at is null
        and expires_at > now() and expires_at <= now() + make_interval(days => ${EXPIRY_NOTICE_DAYS})
        and not exists (select from event where subject_id = api_key.id and type = 'key.expiring')
      order by expires_at limit ${NOTICE_LIMIT} for no key update of api_key skip locked`.execute(trx);
    // Another process may have written its event, and released the lock, since this statement began.
    const { rows: told } = await sql<{ id: string }>`
      select subject_id as id from event
      where subject_id = any (${found.map(({ id }) => id)}) and type = 'key.expiring'`.execute(trx);
    const ids = found.map(({ id }) => id).filter((id) => !told.some((one) => one.id === id));
    const keys = await readRows({ db: trx, vault }, 'api_key', { where: sql<boolean>`id = any (${ids})` });
    for (const { id, account_id: accountId, expires_at: expiresAt } of keys) {
      if (expiresAt === null) continue;
      const data = { key_id: id, expires_at: expiresAt.toISOString() };
      await writeEvent({ db: trx, vault }, { type: 'key.expiring', accountId, subjectId: id, data });
    }
    return keys.length;
  });
}

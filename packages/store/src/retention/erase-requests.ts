import { sql, type Transaction } from 'kysely';
import { NO_MEMBER } from '../intake/member-index.ts';
import type { Tables } from '../tables/tables.ts';

export interface ErasableRequest {
  readonly id: string;
  /** The slug of its error, which stays; null for none, and for free text. */
  readonly reason: string | null;
}

/**
 * Overwrites every sealed value of requests that this transaction locked, and removes what is nothing without it: held
 * outputs, drafts, and what a repeat of its post was recognized by. Ids, times, outcomes, slugs, counts and the access log
 * stay. Whoever adds a sealed column finds it missing here by a test that reads the catalog.
 *
 * The old values are in the table until vacuum, and in its free space until that is used again.
 */
export async function eraseRequests(
  trx: Transaction<Tables>,
  requests: readonly ErasableRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const ids = requests.map(({ id }) => id);
  await sql`
    update request set input = '', outcome_reason = null, progress = null, service_date = null, member_index = ${NO_MEMBER.toString()},
      erased_at = now(), erased_reason = erased.reason
    from unnest(${ids}::text[], ${requests.map(({ reason }) => reason)}::text[]) as erased (id, reason)
    where request.id = erased.id and request.id = any (${ids})`.execute(trx);
  const { rows: results } = await sql<{ held_id: string | null }>`
    update result set body = '', benefits = null, digest = '' where request_id = any (${ids})
    returning held_output_id as held_id`.execute(trx);
  const { rows: deliveries } = await sql<{ id: string }>`
    update delivery set destination = '' where request_id = any (${ids}) returning id`.execute(trx);
  await sql`
    update delivery_attempt set response_snippet = null
    where delivery_id = any (${deliveries.map(({ id }) => id)}) and response_snippet is not null`.execute(
    trx,
  );
  await sql`
    update verification_attempt set evidence = null
    where request_id = any (${ids}) and evidence is not null`.execute(trx);
  await sql`
    update x12_exchange set inquiry = '', answer = null where request_id = any (${ids})`.execute(trx);
  await sql`delete from draft where request_id = any (${ids})`.execute(trx);
  // A key has its request's time, by which there is an index.
  await sql`
    delete from idempotency_key
    where created_at = any (array(select received_at from request where id = any (${ids})))
      and request_id = any (${ids})`.execute(trx);
  await removeHeld(
    trx,
    ids,
    results.flatMap(({ held_id: id }) => id ?? []),
  );
}

/** Those that name a request, and those that became its result; in id order, as whoever settles several locks them. */
async function removeHeld(
  trx: Transaction<Tables>,
  requestIds: readonly string[],
  appliedIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from held_output
    where id = any (array(
      select held.id::text from held_output held
      where coalesce(held.request_id, held.named_request_id) = any (${requestIds})
    ) || ${appliedIds}::text[])
    order by id for update`.execute(trx);
  if (rows.length === 0) return;
  await sql`delete from held_output where id = any (${rows.map(({ id }) => id)})`.execute(trx);
}

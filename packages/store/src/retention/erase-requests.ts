import { type ErasedCounts, ErrorReason, type ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { NO_MEMBER } from '../intake/member-index.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { heldOwner, heldPlace, type HeldRef } from '../output/held/held-encryption.ts';
import { otherRequestIds } from '../output/held/hold.ts';
import type { Tables } from '../tables/tables.ts';

export interface ErasableRequest {
  readonly id: string;
  readonly account_id: string;
  readonly outcome_reason: Buffer | null;
}

/**
 * Overwrites every encrypted value of requests that this transaction locked with `for no key update`, and removes what is
 * nothing without it: held outputs, drafts, places in the queues. A message that was still to be sent ends as `erased`, an
 * attempt under way as `superseded`. Ids, times, outcomes, slugs, counts and the access log stay, and the keyed hash of an
 * `Idempotency-Key` until it is 48 hours old, so that a repeat of the post makes no other request. A transaction that adds an encrypted
 * column finds it missing here by a test that reads the catalog.
 *
 * The old values are in the table until vacuum, and in its free space until that is used again.
 */
export async function eraseRequests(
  trx: Transaction<Tables>,
  store: Store,
  requests: readonly ErasableRequest[],
): Promise<ErasedCounts> {
  const ids = requests.map(({ id }) => id);
  await endWork(trx, ids);
  // Waits for exchanges that are being kept; a later one sees that the request is erased.
  await sql`select from request where id = any (${ids}) order by id for update`.execute(trx);
  const reasons = await Promise.all(requests.map((request) => slugOf(store, request)));
  await sql`
    update request set input = '', outcome_reason = null, progress = null, service_date = null, gender = null, member_index = ${NO_MEMBER.toString()}, npi_index = 0,
      delivery = case when delivery = 'pending' then 'none' else delivery end, erased_at = now(),
      erased_reason = erased.reason
    from unnest(${ids}::text[], ${reasons}::text[]) as erased (id, reason)
    where request.id = erased.id and request.id = any (${ids})`.execute(trx);
  const results = await sql<{ held_id: string | null }>`
    update result set body = '', benefits = null, digest = '' where request_id = any (${ids})
    returning held_output_id as held_id`.execute(trx);
  const deliveries = await eraseDeliveries(trx, ids);
  const attempts = await sql`
    update verification_attempt set evidence = null
    where request_id = any (${ids}) and evidence is not null`.execute(trx);
  const exchanges = await sql`
    update x12_exchange set inquiry = '', answer = null where request_id = any (${ids})`.execute(trx);
  await sql`
    with erased as (
      update batch_row set digest = '', reference = null where request_id = any (${ids})
      returning batch_id, closed, request_id
    )
    insert into batch_change (batch_id, place, count)
    select batch_id, place, count from erased join request on request.id = erased.request_id
    cross join lateral (values
      ('erased', 1),
      (case when outcome = 'complete' then 'answered' when closed then 'closed' when outcome <> 'none' then 'failed' end, -1)
    ) as moved (place, count)
    where place is not null`.execute(trx);
  await sql`update known_answer set answer = '' where request_id = any (${ids})`.execute(trx);
  const drafts = await sql`delete from draft where request_id = any (${ids})`.execute(trx);
  await sql`update legal_hold set reason = '' where request_id = any (${ids})`.execute(trx);
  // A key has its request's time, by which there is an index.
  await sql`
    update idempotency_key set body_digest = ''
    where created_at = any (array(select received_at from request where id = any (${ids})))
      and request_id = any (${ids})`.execute(trx);
  const appliedIds = results.rows.flatMap(({ held_id: id }) => id ?? []);
  return {
    results: results.rows.length,
    ...deliveries,
    attempts: Number(attempts.numAffectedRows),
    exchanges: Number(exchanges.numAffectedRows),
    drafts: Number(drafts.numAffectedRows),
    ...(await eraseHeld(trx, store, { ids, appliedIds })),
  };
}

/** A claim locks the row of the queue before it writes an attempt. */
async function endWork(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await sql`delete from work_queue where request_id = any (${ids})`.execute(trx);
  await sql`
    update verification_attempt set ended_at = now(), outcome = 'superseded', on_call_until = null
    where request_id = any (${ids}) and ended_at is null`.execute(trx);
}

async function eraseDeliveries(trx: Transaction<Tables>, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; is_open: boolean }>`
    select id, done_at is null as is_open from delivery where request_id = any (${ids})`.execute(trx);
  const all = rows.map(({ id }) => id);
  const open = rows.filter((row) => row.is_open).map(({ id }) => id);
  // Its row of the queue is the sender's lease: without it, nothing of the attempt is written.
  await sql`delete from delivery_queue where delivery_id = any (${open})`.execute(trx);
  await sql`
    update delivery set destination = '', status = case when done_at is null then 'erased' else status end,
      done_at = coalesce(done_at, now())
    where id = any (${all})`.execute(trx);
  const responses = await sql`
    update delivery_attempt set response_snippet = null
    where delivery_id = any (${all}) and response_snippet is not null`.execute(trx);
  return {
    deliveries: all.length,
    deliveries_ended: open.length,
    responses: Number(responses.numAffectedRows),
  };
}

/** A reason of the registry is stored in the clear from then on; a verifier's own words are not. */
async function slugOf(
  { vault }: Store,
  { id, account_id: accountId, outcome_reason: encrypted }: ErasableRequest,
): Promise<string | null> {
  const place = `request.outcome_reason:${id}`;
  const reason =
    encrypted && (await decryptOrNull(vault.decryptJson<string>({ accountId }, place, encrypted)));
  return ErrorReason.safeParse(reason).data ?? null;
}

interface Erased {
  /** The requests. */
  readonly ids: readonly string[];
  /** The held outputs that became their results. */
  readonly appliedIds: readonly string[];
}

interface HeldRow extends HeldRef {
  readonly body: Buffer;
  readonly request_id: string | null;
  readonly is_of_erased: boolean;
}

/**
 * Removes the held outputs that name erased requests or became their results, and from those of other requests the
 * entries that name them. Holding an output takes the same lock, shared, before it looks whether that names an
 * erased request: so each comes before this transaction, and is found here, or sees what it did.
 */
async function eraseHeld(
  trx: Transaction<Tables>,
  store: Store,
  { ids, appliedIds }: Erased,
): Promise<Pick<ErasedCounts, 'held_outputs' | 'held_entries'>> {
  await sql`select pg_advisory_xact_lock(${LOCKS.holding}::bigint)`.execute(trx);
  // In the order of their ids, as settling several locks them.
  const { rows } = await sql<HeldRow>`
    select held.id, held.received_by, held.named_request_id, held.body,
      held.request_id, (select account_id from request where request.id = held.request_id) as account_id,
      coalesce(coalesce(held.request_id, held.named_request_id) = any (${ids}), false)
        or held.id = any (${appliedIds}) as is_of_erased
    from held_output held
    where held.id = any (array(
      select id::text from held_output where coalesce(request_id, named_request_id) = any (${ids})
      union
      select id::text from held_output
      where other_request_ids is not null and other_request_ids && ${ids}::issued_id[]
    ) || ${appliedIds}::text[])
    order by held.id for update of held`.execute(trx);
  const gone: string[] = [];
  let entryCount = 0;
  for (const row of rows) {
    const left = row.is_of_erased ? null : await withoutEntries(store, row, ids);
    if (left) {
      await rewrite(trx, store, row, left.output);
      entryCount += left.removedCount;
    } else gone.push(row.id);
  }
  await sql`delete from held_output where id = any (${gone})`.execute(trx);
  return { held_outputs: gone.length, held_entries: entryCount };
}

/** Null where nothing is left, and for a value that cannot be decrypted. */
async function withoutEntries({ vault }: Store, row: HeldRow, ids: readonly string[]) {
  const output = await decryptOrNull(
    vault.decryptJson<ResponseModel>(heldOwner(row), heldPlace('body', row), row.body),
  );
  const erased = new Set(ids);
  const names = (requestId: string | null | undefined) => requestId != null && erased.has(requestId);
  if (!output || names(output.request.request_id)) return null;
  const kept = output.insurance_data.filter(({ request_id: named }) => !names(named));
  if (kept.length === 0) return null;
  return {
    output: { ...output, insurance_data: kept },
    removedCount: output.insurance_data.length - kept.length,
  };
}

async function rewrite(
  trx: Transaction<Tables>,
  { vault }: Store,
  row: HeldRow,
  output: ResponseModel,
): Promise<void> {
  const text = JSON.stringify(output);
  const body = await vault.encrypt(heldOwner(row), heldPlace('body', row), text);
  // Nothing says what it was before; a repeat names an erased request and is not held.
  await sql`
    update held_output set body = ${body}, differences = null, byte_count = ${Buffer.byteLength(text)},
      digest = ${vault.index('held_output.digest.rewritten', row.id)},
      other_request_ids = ${otherRequestIds(output, row.request_id ?? row.named_request_id)}
    where id = ${row.id}`.execute(trx);
}

import type { ErasedCounts, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { openOrNull } from '../../encryption/seal.ts';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { heldOwner, heldPlace, type HeldRef } from '../../output/held/held-seal.ts';
import { otherRequestIds } from '../../output/held/hold.ts';
import type { Tables } from '../../tables/tables.ts';

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
 * entries that name them. Whoever holds an output takes the same lock, shared, before it looks whether that names an
 * erased request: so each comes before this transaction, and is found here, or sees what it did.
 */
export async function eraseHeld(
  trx: Transaction<Tables>,
  store: Store,
  { ids, appliedIds }: Erased,
): Promise<Pick<ErasedCounts, 'held_outputs' | 'held_entries'>> {
  await sql`select pg_advisory_xact_lock(${LOCKS.holding}::bigint)`.execute(trx);
  // In the order of their ids, as whoever settles several locks them.
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

/** Null where nothing is left, and for what does not open: nobody can read it. */
async function withoutEntries({ vault }: Store, row: HeldRow, ids: readonly string[]) {
  const output = await openOrNull(
    vault.openJson<ResponseModel>(heldOwner(row), heldPlace('body', row), row.body),
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
  const body = await vault.seal(heldOwner(row), heldPlace('body', row), text);
  // Nothing says what it was before; a repeat names an erased request and is not held.
  await sql`
    update held_output set body = ${body}, differences = null, byte_count = ${Buffer.byteLength(text)},
      digest = ${vault.index('held_output.digest.rewritten', row.id)},
      other_request_ids = ${otherRequestIds(output, row.request_id ?? row.named_request_id)}
    where id = ${row.id}`.execute(trx);
}

import type { HeldOutputSummary } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';
import { selectHeld, toHeldOutline } from '../../output/held/read-held.ts';

/** Of those that name it: anyone may hand in such outputs. */
const COUNT_MAX = 100;

/**
 * The outputs that name a request, or became its result, and were held, first to last, without what they say. Whoever
 * does not look after requests of others learns that one is held and why, not who sent or settled it: that names the
 * platform's people.
 */
export async function readHeldSummaries(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<HeldOutputSummary[]> {
  // In the words of the index, which has them in order: of a flood it reads the newest alone.
  const naming = sql`array(
    select held.id::text from held_output held
    where coalesce(held.request_id, held.named_request_id) = ${requestId}
    order by held.id desc limit ${COUNT_MAX})`;
  // Outputs of other requests, or of none, that an operator applied to this one.
  const applied = sql`array(
    select result.held_output_id::text from result
    where result.request_id = ${requestId} and result.held_output_id is not null)`;
  const rows = await selectHeld(db, caller)
    .leftJoin('result', (join) =>
      join.onRef('result.held_output_id', '=', 'held_output.id').on('result.request_id', '=', requestId),
    )
    .select(['status', 'version', 'settled_at', 'settled_by', 'received_by'])
    .select(sql<boolean>`note is not null`.as('noted'))
    .where(sql<boolean>`held_output.id = any(${naming} || ${applied})`)
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { request_id: _requestId, ...held } = toHeldOutline(row);
    return {
      ...held,
      received_by: caller.acrossAccounts ? row.received_by : null,
      status: row.status,
      version: row.version,
      settled_at: row.settled_at && row.settled_at.toISOString(),
      settled_by: caller.acrossAccounts ? row.settled_by : null,
      noted: row.noted,
    };
  });
}

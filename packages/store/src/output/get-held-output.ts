import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { heldWithin } from './held-within.ts';
import type { HeldOutputSummary } from './list-held-outputs.ts';
import { namedRequest } from './named-request.ts';

/** A held output whole. */
export interface HeldOutputDetail extends HeldOutputSummary {
  readonly status: 'held' | 'applied' | 'dismissed';
  /** The operator's words at the dismissal. */
  readonly note: string | null;
  readonly output: ResponseModel;
}

/** Null when there is none of this id within the caller's reach, malformed ids included. Settled ones still read until they expire. */
export async function getHeldOutput(
  { db, vault }: Store,
  caller: Caller,
  heldId: string,
): Promise<HeldOutputDetail | null> {
  if (!isIssuedId('held', heldId)) return null;
  const row = await db
    .selectFrom('held_output')
    .select(['reason', 'received_at', 'status', 'note', 'body', namedRequest.as('request_id')])
    .where('id', '=', heldId)
    .where(heldWithin(caller))
    .executeTakeFirst();
  if (!row) return null;
  await recordAccess(db, {
    caller,
    operation: 'heldOutputs.get',
    subjectId: heldId,
    ...(row.request_id !== null && { requestIds: [row.request_id] }),
  });
  return {
    heldId,
    reason: row.reason,
    receivedAt: row.received_at,
    requestId: row.request_id,
    status: row.status,
    note: row.note && (await vault.openJson<string>(`held_output.note:${heldId}`, row.note)),
    output: await vault.openJson<ResponseModel>(`held_output.body:${heldId}`, row.body),
  };
}

import type { ResponseModel, HeldOutputDetail } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { namedRequest } from '../named-request.ts';
import { heldWithin } from './held-within.ts';
import { toHeldOutput } from './list-held-outputs.ts';

/** `not_found`: no such held output within the caller's reach; also for malformed ids. */
export type FoundHeldOutput =
  | { readonly kind: 'found'; readonly held: HeldOutputDetail }
  | { readonly kind: 'not_found' };

/** A held output with its body. Settled ones remain readable until they expire. */
export async function getHeldOutput(store: Store, named: NamedHeldOutput): Promise<FoundHeldOutput> {
  const held = await readHeldOutput(store, named);
  if (!held) return { kind: 'not_found' };
  await recordAccess(store.db, {
    caller: named.caller,
    operation: 'heldOutputs.get',
    subjectId: named.heldId,
    ...(held.request_id !== null && { requestIds: [held.request_id] }),
  });
  return { kind: 'found', held };
}

interface NamedHeldOutput {
  readonly caller: Caller;
  readonly heldId: string;
}

/** A held output within the caller's reach, without a line in the access log; null for none. */
export async function readHeldOutput(
  { db, vault }: Store,
  { caller, heldId }: NamedHeldOutput,
): Promise<HeldOutputDetail | null> {
  if (!isIssuedId('held', heldId)) return null;
  const row = await db
    .selectFrom('held_output')
    .select(['reason', 'received_at', 'status', 'note', 'body', namedRequest.as('request_id')])
    .where('id', '=', heldId)
    .where(heldWithin(caller))
    .executeTakeFirst();
  if (!row) return null;
  return {
    ...toHeldOutput({ ...row, id: heldId }),
    status: row.status,
    note: row.note && (await vault.openJson<string>(`held_output.note:${heldId}`, row.note)),
    output: await vault.openJson<ResponseModel>(`held_output.body:${heldId}`, row.body),
  };
}

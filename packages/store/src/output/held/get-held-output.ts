import type { ResponseModel, HeldOutputDetail } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { StoredBenefits } from '../finding/stored-benefits.ts';
import { namedRequest } from '../named-request.ts';
import { heldWithin } from './held-within.ts';
import { toHeldOutput } from './list-held-outputs.ts';

/** A held output as it is kept: the api reads its benefits. */
export interface ReadHeldOutput {
  readonly held: Omit<HeldOutputDetail, 'benefits'>;
  /** Null when it came without, or was dismissed. */
  readonly benefits: StoredBenefits | null;
}

/** `not_found`: no such held output within the caller's reach; also for malformed ids. */
export type FoundHeldOutput = ({ readonly kind: 'found' } & ReadHeldOutput) | { readonly kind: 'not_found' };

/** A held output with its body. Settled ones remain readable until they expire. */
export async function getHeldOutput(store: Store, named: NamedHeldOutput): Promise<FoundHeldOutput> {
  const found = await readHeldOutput(store, named);
  if (!found) return { kind: 'not_found' };
  await recordAccess(store.db, {
    caller: named.caller,
    operation: 'heldOutputs.get',
    subjectId: named.heldId,
    ...(found.held.request_id !== null && { requestIds: [found.held.request_id] }),
  });
  return { kind: 'found', ...found };
}

interface NamedHeldOutput {
  readonly caller: Caller;
  readonly heldId: string;
}

/** A held output within the caller's reach, without a line in the access log; null for none. */
export async function readHeldOutput(
  { db, vault }: Store,
  { caller, heldId }: NamedHeldOutput,
): Promise<ReadHeldOutput | null> {
  if (!isIssuedId('held', heldId)) return null;
  const row = await db
    .selectFrom('held_output')
    .select(['reason', 'received_at', 'status', 'note', 'body', 'benefits', namedRequest.as('request_id')])
    .where('id', '=', heldId)
    .where(heldWithin(caller))
    .executeTakeFirst();
  if (!row) return null;
  return {
    held: {
      ...toHeldOutput({ ...row, id: heldId }),
      status: row.status,
      note: row.note && (await vault.openJson<string>(`held_output.note:${heldId}`, row.note)),
      output: await vault.openJson<ResponseModel>(`held_output.body:${heldId}`, row.body),
    },
    benefits:
      row.benefits && (await vault.openJson<StoredBenefits>(`held_output.benefits:${heldId}`, row.benefits)),
  };
}

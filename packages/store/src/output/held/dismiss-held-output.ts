import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { handOnDismissed } from '../../verification/overdue/hand-on-dismissed.ts';
import { heldOwner, heldPlace, heldRefs } from './held-seal.ts';
import { settleHeldOutput } from './settle-held-output.ts';

export interface Dismissal {
  readonly caller: Caller;
  readonly heldId: string;
  readonly note?: string | undefined;
}

/** `settled`: it was already applied or dismissed. */
export interface DismissedHeldOutput {
  readonly kind: 'dismissed' | 'settled' | 'not_found';
}

/** Settles a held output without applying it. */
export async function dismissHeldOutput(
  { db, vault }: Store,
  { caller, heldId, note }: Dismissal,
): Promise<DismissedHeldOutput> {
  if (!isIssuedId('held', heldId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<DismissedHeldOutput> => {
    const held = await heldRefs(trx, caller).where('held_output.id', '=', heldId).executeTakeFirst();
    if (!held) return { kind: 'not_found' };
    const sealedNote =
      note === undefined
        ? null
        : await vault.seal(heldOwner(held), heldPlace('note', held), JSON.stringify(note));
    if (!(await settleHeldOutput(trx, { heldId, status: 'dismissed', caller, note: sealedNote })))
      return { kind: 'settled' };
    if (held.reason === 'agent_result' && held.request_id !== null)
      await handOnDismissed(trx, [held.request_id]);
    const requestIds = held.request_id === null ? {} : { requestIds: [held.request_id] };
    await recordAccess(trx, { caller, operation: 'heldOutputs.dismiss', subjectId: heldId, ...requestIds });
    return { kind: 'dismissed' };
  });
}

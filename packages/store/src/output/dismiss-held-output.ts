import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { heldWithin } from './held-within.ts';
import { namedRequest } from './named-request.ts';
import { settleHeldOutput } from './settle-held-output.ts';

export interface Dismissal {
  readonly caller: Caller;
  readonly heldId: string;
  readonly note?: string | undefined;
}

/** Ends a held output without applying it. `settled` when it was applied or dismissed before. */
export async function dismissHeldOutput(
  { db, vault }: Store,
  { caller, heldId, note }: Dismissal,
): Promise<'dismissed' | 'settled' | 'not_found'> {
  if (!isIssuedId('held', heldId)) return 'not_found';
  return db.transaction().execute(async (trx) => {
    const held = await trx
      .selectFrom('held_output')
      .select(namedRequest.as('request_id'))
      .where('id', '=', heldId)
      .where(heldWithin(caller))
      .executeTakeFirst();
    if (!held) return 'not_found';
    const sealedNote =
      note === undefined
        ? null
        : await vault.seal('system', `held_output.note:${heldId}`, JSON.stringify(note));
    if (!(await settleHeldOutput(trx, { heldId, status: 'dismissed', caller, note: sealedNote })))
      return 'settled';
    const requestIds = held.request_id === null ? {} : { requestIds: [held.request_id] };
    await recordAccess(trx, { caller, operation: 'heldOutputs.dismiss', subjectId: heldId, ...requestIds });
    return 'dismissed';
  });
}

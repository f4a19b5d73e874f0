import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { lockWorkedRequest } from './lock-worked-request.ts';

export interface DraftDiscarding {
  readonly caller: Caller;
  readonly requestId: string;
  readonly revision: number;
}

export interface DiscardedDraftKind {
  /** `discarded`: also when there was none. `draft_changed`: it was saved since. */
  readonly kind: 'discarded' | 'not_found' | 'draft_changed';
}

/** Deletes the caller's draft, if it is still the one that the caller read. */
export async function discardDraft(store: Store, discarding: DraftDiscarding): Promise<DiscardedDraftKind> {
  const { caller, requestId, revision } = discarding;
  return store.db.transaction().execute(async (trx): Promise<DiscardedDraftKind> => {
    const locked = await lockWorkedRequest(trx, discarding);
    // A request loses its drafts with its result, and when it is erased.
    if (locked.kind === 'finished' || locked.kind === 'erased') return { kind: 'discarded' };
    if (locked.kind !== 'found') return { kind: locked.kind };
    const own = await trx
      .selectFrom('draft')
      .select('revision')
      .where('request_id', '=', requestId)
      .where('written_by', '=', caller.keyId)
      .executeTakeFirst();
    if (!own) return { kind: 'discarded' };
    if (own.revision !== String(revision)) return { kind: 'draft_changed' };
    await trx
      .deleteFrom('draft')
      .where('request_id', '=', requestId)
      .where('written_by', '=', caller.keyId)
      .execute();
    await recordAccess(trx, { caller, operation: 'drafts.discard', requestIds: [requestId] });
    return { kind: 'discarded' };
  });
}

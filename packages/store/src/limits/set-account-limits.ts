import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { changeRows, findRow } from '../row-macs/covered-rows.ts';
import type { Quota } from '../tables/columns.ts';
import { type FoundAccountLimits, readAccountLimits, type StoredLimits } from './account-limits.ts';

export interface NewAccountLimits {
  readonly caller: Caller;
  readonly accountId: string;
  /** By policy; null removes the account's own quota. A missing policy stays unchanged. */
  readonly quotas: Readonly<Record<string, Quota | null>>;
  /** Undefined leaves it unchanged. */
  readonly allowedCidrs: readonly string[] | null | undefined;
}

/** Sets limits of an account; returns all its limits. */
export async function setAccountLimits(
  { db, vault }: Store,
  { caller, accountId, quotas, allowedCidrs }: NewAccountLimits,
): Promise<FoundAccountLimits> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<FoundAccountLimits> => {
    // Locked, so that concurrent changes by two operators are serialized, and each gets the limits after its own.
    const inside = { db: trx, vault };
    const choice = { is: { id: accountId }, where: within(caller, 'id') };
    const account = await findRow(inside, 'account', { ...choice, lock: 'for no key update' });
    if (!account) return { kind: 'not_found' };
    const before = await readAccountLimits(inside, caller, accountId);
    if (allowedCidrs !== undefined)
      await changeRows(inside, 'account', {
        ...choice,
        set: () => ({ allowed_cidrs: allowedCidrs && [...allowedCidrs] }),
      });
    for (const [policy, given] of Object.entries(quotas)) {
      await trx
        .deleteFrom('account_limit')
        .where('account_id', '=', accountId)
        .where('policy', '=', policy)
        .execute();
      if (!given) continue;
      await trx
        .insertInto('account_limit')
        .values({ account_id: accountId, policy, quota: given.quota, window_seconds: given.windowSeconds })
        .execute();
    }
    const after = await readAccountLimits(inside, caller, accountId);
    if (before.kind === 'found' && after.kind === 'found')
      await recordAccess(trx, {
        caller,
        operation: 'accounts.setLimits',
        subjectId: accountId,
        details: { before: setIn(before.limits), after: setIn(after.limits) },
      });
    return after;
  });
}

const setIn = ({ quotas, allowedCidrs }: StoredLimits) => ({ quotas, allowed_cidrs: allowedCidrs });

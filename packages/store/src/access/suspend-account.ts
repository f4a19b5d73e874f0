import type { Account } from '@insurance-verification/schema';
import { rememberRest } from '../events/missed-events.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { findAsking } from '../retention/account-retention.ts';
import { changeRows, readNow } from '../row-macs/covered-rows.ts';
import type { Caller } from './caller.ts';
import { toAccount } from './create-account.ts';
import { within } from './reach.ts';
import { recordAccess } from './record-access.ts';

interface AccountAct {
  readonly caller: Caller;
  readonly accountId: string;
}

/** `not_found`: no such account within the caller's reach. */
type ResumedAccount =
  | { readonly kind: 'changed'; readonly account: Account }
  | { readonly kind: 'not_found' };

/** `own_account`: the caller's own account, which it could not resume. */
type SuspendedAccount = ResumedAccount | { readonly kind: 'own_account' };

/**
 * Refuses an account's keys from now on, and lets its endpoints rest. Nothing accepted is lost: its requests are still
 * verified and its results delivered. Idempotent: the time of the first suspension stays.
 */
export async function suspendAccount(store: Store, act: AccountAct): Promise<SuspendedAccount> {
  if (act.accountId === act.caller.accountId) return { kind: 'own_account' };
  return setSuspended(store, {
    ...act,
    operation: 'accounts.suspend',
    suspendedAt: (before, now) => before ?? now,
  });
}

/** Lets an account's keys work again, and its endpoints take events, which remember when they rested. Idempotent. */
export async function resumeAccount(store: Store, act: AccountAct): Promise<ResumedAccount> {
  return setSuspended(store, { ...act, operation: 'accounts.resume', suspendedAt: () => null });
}

interface Suspension extends AccountAct {
  readonly operation: 'accounts.suspend' | 'accounts.resume';
  readonly suspendedAt: (before: Date | null, now: Date) => Date | null;
}

async function setSuspended({ db, vault }: Store, suspension: Suspension): Promise<ResumedAccount> {
  const { caller, accountId, operation, suspendedAt } = suspension;
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<ResumedAccount> => {
    const now = await readNow(trx);
    let before: Date | null = null;
    const [row] = await changeRows({ db: trx, vault }, 'account', {
      is: { id: accountId },
      where: within(caller, 'id'),
      set: ({ suspended_at }) => {
        before = suspended_at;
        return { suspended_at: suspendedAt(suspended_at, now) };
      },
    });
    if (!row) return { kind: 'not_found' };
    if (row.suspended_at === null && before !== null) await rememberRest(trx, accountId, before);
    await recordAccess(trx, { caller, operation, subjectId: accountId });
    const asked = await findAsking({ db: trx, vault }, accountId);
    return { kind: 'changed', account: toAccount(row, asked?.days ?? null) };
  });
}

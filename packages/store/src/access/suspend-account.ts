import type { Account } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';
import { toAccount } from './create-account.ts';
import { within } from './reach.ts';
import { recordAccess } from './record-access.ts';

/**
 * Has an account's keys refused from now on. Nothing that was accepted is lost: its requests are verified and its
 * results delivered as before. Again changes nothing, the first time stays. `own_account`: the caller's own, which it
 * could not resume; null when there is none of this id within its reach.
 */
export async function suspendAccount(
  store: Store,
  caller: Caller,
  accountId: string,
): Promise<Account | 'own_account' | null> {
  if (accountId === caller.accountId) return 'own_account';
  return setSuspended(store, {
    caller,
    accountId,
    operation: 'accounts.suspend',
    suspendedAt: sql<Date>`coalesce(suspended_at, now())`,
  });
}

/** Lets an account's keys work again. Again changes nothing. Null when there is none of this id within reach. */
export async function resumeAccount(
  store: Store,
  caller: Caller,
  accountId: string,
): Promise<Account | null> {
  return setSuspended(store, {
    caller,
    accountId,
    operation: 'accounts.resume',
    suspendedAt: sql<null>`null`,
  });
}

interface Suspension {
  readonly caller: Caller;
  readonly accountId: string;
  readonly operation: 'accounts.suspend' | 'accounts.resume';
  readonly suspendedAt: RawBuilder<Date | null>;
}

async function setSuspended({ db }: Store, suspension: Suspension): Promise<Account | null> {
  const { caller, accountId, operation, suspendedAt } = suspension;
  if (!isIssuedId('acct', accountId)) return null;
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('account')
      .set({ suspended_at: suspendedAt as RawBuilder<Date> })
      .where('id', '=', accountId)
      .where(within(caller, 'id'))
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await recordAccess(trx, { caller, operation, subjectId: accountId });
    return toAccount(row);
  });
}

import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { findRow } from '../row-macs/covered-rows.ts';
import type { Quota } from '../tables/columns.ts';

/** One account's own limits; defaults apply to everything else. */
export interface StoredLimits {
  readonly accountId: string;
  /** By policy. */
  readonly quotas: Readonly<Record<string, Quota>>;
  /** Null: its keys work from anywhere. */
  readonly allowedCidrs: readonly string[] | null;
}

/** `not_found`: no such account within the caller's reach. */
export type FoundAccountLimits =
  | { readonly kind: 'found'; readonly limits: StoredLimits }
  | { readonly kind: 'not_found' };

/** The limits set for an account. */
export async function getAccountLimits(
  store: Store,
  { caller, accountId }: { readonly caller: Caller; readonly accountId: string },
): Promise<FoundAccountLimits> {
  const found = await readAccountLimits(store, caller, accountId);
  if (found.kind === 'found')
    await recordAccess(store.db, { caller, operation: 'accounts.limits', subjectId: accountId });
  return found;
}

/** Works inside or outside a transaction. */
export async function readAccountLimits(
  inside: Pick<Store, 'db' | 'vault'>,
  caller: Caller,
  accountId: string,
): Promise<FoundAccountLimits> {
  if (!isIssuedId('acct', accountId)) return { kind: 'not_found' };
  const choice = { is: { id: accountId }, where: within(caller, 'id') };
  const account = await findRow(inside, 'account', choice);
  if (!account) return { kind: 'not_found' };
  const rows = await inside.db
    .selectFrom('account_limit')
    .select(['policy', 'quota', 'window_seconds'])
    .where('account_id', '=', accountId)
    .execute();
  const quotas = rows.map((row): [string, Quota] => [
    row.policy,
    { quota: row.quota, windowSeconds: row.window_seconds },
  ]);
  const limits = { accountId, quotas: Object.fromEntries(quotas), allowedCidrs: account.allowed_cidrs };
  return { kind: 'found', limits };
}

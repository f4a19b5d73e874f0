import type { Store } from '../open-store.ts';
import { dueAccounts } from './due-accounts.ts';

/** Accounts that are asked for what they have left: an answer for a scrape, however many there are. */
const ACCOUNT_COUNT_MAX = 1_000;

/** How many seconds ago the oldest request that waits for its erasure was due; 0 when none waits. */
export async function measureErasure(store: Store): Promise<number> {
  const due = await dueAccounts(store, { limit: ACCOUNT_COUNT_MAX });
  const oldest = Math.min(...due.map(({ dueSince }) => dueSince.getTime()));
  return Math.max(0, (Date.now() - oldest) / 1_000);
}

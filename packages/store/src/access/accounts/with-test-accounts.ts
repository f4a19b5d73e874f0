import type { Store } from '../../open-store.ts';
import { readRows } from '../../row-macs/covered-rows.ts';
import type { Caller } from '../caller.ts';

/**
 * The caller with the accounts that it reaches, where it is of a test account and not kept to that one: those whose row
 * has a right MAC, so that nobody turns a live account into a test account by writing to the database.
 */
export async function withTestAccounts<Given extends Caller>(store: Store, caller: Given): Promise<Given> {
  const isOfOne = caller.acrossAccounts === false && !caller.ownWork;
  if (caller.mode === 'live' || isOfOne) return caller;
  const accounts = await readRows(store, 'account', { is: { mode: 'test' } });
  return { ...caller, testAccountIds: accounts.map(({ id }) => id) };
}

import { sql } from 'kysely';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { findRow, readNow } from '../row-macs/covered-rows.ts';
import { DEFAULT_ACCOUNT_ID } from './ensure-accounts.ts';

type Inside = Pick<Store, 'db' | 'vault'>;

/** A key or a person that may act now. */
interface LiveHolder {
  /** The account that it acts for; `default` for the platform's people. */
  readonly accountId: string;
}

/**
 * Finds a key or person that is live: not revoked, expired or ended, and of an account that is not suspended. A row
 * with a wrong MAC is not found.
 */
export async function findLiveHolder(inside: Inside, id: string): Promise<LiveHolder | undefined> {
  const accountId = isIssuedId('stf', id)
    ? await accountOfPerson(inside, id)
    : await accountOfKey(inside, id);
  if (accountId === undefined) return undefined;
  const account = await findRow(inside, 'account', { is: { id: accountId, suspended_at: null } });
  return account && { accountId };
}

async function accountOfPerson(inside: Inside, id: string): Promise<string | undefined> {
  const person = await findRow(inside, 'staff', { is: { id, ended_at: null } });
  return person && accountOf(person);
}

async function accountOfKey(inside: Inside, id: string): Promise<string | undefined> {
  if (!isIssuedId('key', id)) return undefined;
  const key = await findRow(inside, 'api_key', { is: { id, revoked_at: null } });
  if (!key) return undefined;
  const isExpired = key.expires_at !== null && key.expires_at <= (await readNow(inside.db));
  return isExpired ? undefined : key.account_id;
}

/** The account of a key or a person; `default` for the platform's people. */
const accountOf = ({ account_id: accountId }: { readonly account_id: string | null }): string =>
  accountId ?? DEFAULT_ACCOUNT_ID;

/** Whether one key or person may take over from another: it is live, another one, and of the same account. */
export async function maySucceed(
  inside: Inside,
  successorId: string,
  ended: { readonly id: string; readonly account_id: string | null },
): Promise<boolean> {
  if (successorId === ended.id) return false;
  return (await findLiveHolder(inside, successorId))?.accountId === accountOf(ended);
}

/** Finds those of some keys that are live, in one statement and without their MACs: for what a process holds open. */
export async function findLiveKeys(
  { keyDb }: Store,
  keyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await keyDb
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select('api_key.id')
    .where('api_key.id', 'in', keyIds)
    .where('revoked_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

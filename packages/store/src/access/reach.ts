import { type RawBuilder, sql } from 'kysely';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';

/** The extent of a caller's reach. */
export type Reach = Pick<
  Caller,
  'accountId' | 'mode' | 'acrossAccounts' | 'testAccountIds' | 'verifyWithin' | 'onlyMode'
>;

/** The service's own reach, never given to a caller with a key. */
export const EVERYWHERE: Reach = { accountId: '', mode: 'live', acrossAccounts: true };

/**
 * The rows a caller may access, as a condition on the column that holds their account:
 *
 * | caller                             | rows                            |
 * |------------------------------------|---------------------------------|
 * | of any account                     | its own account's               |
 * | across accounts, of a live account | every account's                 |
 * | across accounts, of a test account | those of test accounts only     |
 *
 * With `onlyMode` these only as far as their account has that mode.
 *
 * Every statement that starts from a caller's id or list includes it, so none defines its own rule. It checks the
 * account rather than `request.sandbox`, which is missing on requests finished before the sandbox existed.
 */
export function within({ onlyMode, ...whole }: Reach, column: string): RawBuilder<boolean> {
  if (onlyMode !== undefined)
    return sql<boolean>`(${within(whole, column)} and ${sql.ref(column)} in (
      select account.id from account where account.mode = ${sql.lit(onlyMode)}))`;
  const { verifyWithin, ...reach } = whole;
  const { accountId, mode, acrossAccounts, testAccountIds } = reach;
  if (!acrossAccounts) return sql<boolean>`${sql.ref(column)} = ${accountId}`;
  const accountIds = verifyWithin?.account_ids;
  if (accountIds)
    return sql<boolean>`(${sql.ref(column)} = any (${accountIds}) and ${within(reach, column)})`;
  if (mode === 'live') return sql<boolean>`true`;
  if (testAccountIds) return sql<boolean>`${sql.ref(column)} = any (${testAccountIds})`;
  return sql<boolean>`${sql.ref(column)} in (select account.id from account where account.mode = 'test')`;
}

/** A caller as counts see it: for one across accounts those of its own mode, so that tests are in no live count. */
export const counting = <Counter extends Reach>(caller: Counter): Counter =>
  caller.acrossAccounts ? { ...caller, onlyMode: caller.mode } : caller;

/**
 * Whether a list goes through all rows by their ids, newest first: the caller reaches every account, and does not ask
 * for one, or for those of tests, which are few.
 */
export const walksEverywhere = ({
  caller: { acrossAccounts = false, mode, onlyMode },
  accountId,
}: {
  readonly caller: Reach;
  readonly accountId?: string | undefined;
}): boolean => acrossAccounts && mode === 'live' && onlyMode !== 'test' && accountId === undefined;

/**
 * The requests a caller may see when its own work counts: those of {@link within}, and those that it leases or worked
 * on within a day, as a verifier. A condition on `request`.
 */
export function withinOrWorked(caller: Caller): RawBuilder<boolean> {
  const { verifyWithin: _, ...beside } = caller;
  if (!caller.ownWork) return within(caller, 'request.account_id');
  const reached = within(beside, 'request.account_id');
  const worked = sql<boolean>`(exists (
    select from verification_attempt as attempt
    where attempt.request_id = request.id and attempt.key_id = ${caller.keyId}
      and (attempt.ended_at is null or attempt.ended_at > now() - interval '1 day')
      and ${withinChannels(caller, 'attempt.channel')}
  ) and ${withinPayers(caller, 'request.payer_id')} and ${within({ ...caller, acrossAccounts: true }, 'request.account_id')})`;
  return caller.ownWork === 'alone' ? worked : sql<boolean>`(${reached} or ${worked})`;
}

/** The payers that a verifier is kept to, as a condition on the column that holds them. */
export function withinPayers(
  { verifyWithin }: Pick<Caller, 'verifyWithin'>,
  column: string,
): RawBuilder<boolean> {
  return amongOrNull(column, verifyWithin?.payer_ids);
}

/** The channels that a verifier is kept to, as {@link withinPayers}. */
export function withinChannels(
  { verifyWithin }: Pick<Caller, 'verifyWithin'>,
  column: string,
): RawBuilder<boolean> {
  return amongOrNull(column, verifyWithin?.channels);
}

/**
 * Returns the rule of {@link within} and {@link withinPayers} as a JSON text, for a database function that checks many
 * callers' rows at once: `accounts` and `payers` are lists of ids, and `test` stands for all test accounts; what is absent
 * limits nothing. Null for a reach without limits.
 */
export function reachText({ verifyWithin, ...reach }: Reach): string | null {
  const { accountId, mode, acrossAccounts, testAccountIds } = reach;
  const payers = verifyWithin?.payer_ids ?? undefined;
  const asked = verifyWithin?.account_ids ?? undefined;
  const isOfTest = acrossAccounts && mode === 'test';
  const ofMode = isOfTest ? testAccountIds : undefined;
  const across = asked && ofMode ? asked.filter((id) => ofMode.includes(id)) : (asked ?? ofMode);
  const accounts = acrossAccounts ? across : [accountId];
  const test = isOfTest && !testAccountIds ? true : undefined;
  return accounts || payers || test ? JSON.stringify({ accounts, payers, test }) : null;
}

function amongOrNull(column: string, values: readonly string[] | null | undefined): RawBuilder<boolean> {
  return values ? sql<boolean>`${sql.ref(column)} = any (${values})` : sql<boolean>`true`;
}

/** What a caller finds under an id; `erased`: the data of the request is gone. */
type ReachedRequest = 'found' | 'not_found' | 'erased';

/** As {@link reachesRequest}, and whether there is still something to see. */
export async function findReached(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ReachedRequest> {
  if (!isIssuedId('req', requestId)) return 'not_found';
  const row = await db
    .selectFrom('request')
    .select('erased_at')
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return 'not_found';
  return row.erased_at ? 'erased' : 'found';
}

/** Whether the caller may see a request. False also for an id that was never issued. */
export async function reachesRequest(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<boolean> {
  return (await findReached({ db }, { caller, requestId })) !== 'not_found';
}

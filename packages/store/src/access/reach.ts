import { type RawBuilder, sql } from 'kysely';
import type { Caller } from './caller.ts';

/** How far a caller reaches. */
export type Reach = Pick<Caller, 'accountId' | 'mode' | 'acrossAccounts'>;

/** Of the service itself, and of nobody who asks through a door with a key. */
export const EVERYWHERE: Reach = { accountId: '', mode: 'live', acrossAccounts: true };

/**
 * The rows that a caller may see or touch, as a condition on the column that holds their account:
 *
 * | caller                             | rows                            |
 * |------------------------------------|---------------------------------|
 * | of any account                     | its own account's               |
 * | across accounts, of a live account | every account's                 |
 * | across accounts, of a test account | those of test accounts, no more |
 *
 * Every statement that begins with an id or a list from a caller has it, so none says on its own whose rows it takes.
 * By the account and not by `request.sandbox`, which requests finished before there was a sandbox lack.
 */
export function within({ accountId, mode, acrossAccounts }: Reach, column: string): RawBuilder<boolean> {
  if (!acrossAccounts) return sql<boolean>`${sql.ref(column)} = ${accountId}`;
  if (mode === 'live') return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} in (select account.id from account where account.mode = 'test')`;
}

/**
 * The requests that a caller may see where its own work counts: those of {@link within}, and those that it leases or
 * worked on within a day, as a verifier does. A condition on `request`.
 */
export function withinOrWorked(caller: Caller): RawBuilder<boolean> {
  const reached = within(caller, 'request.account_id');
  if (!caller.ownWork) return reached;
  const worked = sql<boolean>`(exists (
    select from verification_attempt as attempt
    where attempt.request_id = request.id and attempt.key_id = ${caller.keyId}
      and (attempt.ended_at is null or attempt.ended_at > now() - interval '1 day')
  ) and ${within({ ...caller, acrossAccounts: true }, 'request.account_id')})`;
  return caller.ownWork === 'alone' ? worked : sql<boolean>`(${reached} or ${worked})`;
}

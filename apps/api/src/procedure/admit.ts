import { type OperationName, OPERATIONS, type Scope } from '@insurance-verification/schema';
import type { LiveKey } from '@insurance-verification/store';
import type { Call } from './context/call.ts';
import { ProblemError } from './problem/problem.ts';
import { requireAddress } from './require-address.ts';

/** Scopes that act on the key's own account. Every other one acts across accounts. */
const ownAccountScopes: ReadonlySet<Scope> = new Set(['requests', 'secrets']);

/**
 * Who may go on to an operation, and how far it reaches there: across accounts if one of its scopes that would do is such
 * a scope, so that a key with `operate` reads any account's request and one with `requests` its own. It is decided here
 * for every operation; the store's statements take it from the caller.
 * @throws {ProblemError} `unauthorized` without a key, `account_suspended`, or `forbidden` without one of the scopes.
 */
export function admit(key: LiveKey | null, operation: OperationName): LiveKey | null {
  const scopes: readonly Scope[] = OPERATIONS[operation].scopes;
  // A wrong key counts as none where none is needed; so does one that may do nothing.
  if (scopes.length === 0) return key?.suspended ? null : key;
  if (!key) throw new ProblemError('unauthorized');
  if (key.suspended) throw new ProblemError('account_suspended');
  const held = scopes.filter((scope) => key.scopes.includes(scope));
  if (held.length === 0) throw new ProblemError('forbidden', { requiredScopes: scopes });
  return { ...key, acrossAccounts: held.some((scope) => !ownAccountScopes.has(scope)) };
}

/**
 * For a call that waits: what was true of its key when it came need not be so any more.
 * @throws {ProblemError} as {@link admit} and {@link requireAddress} do.
 */
export async function stillAdmitted(call: Call, operation: OperationName): Promise<void> {
  const key = await call.lookUpKey();
  if (key) requireAddress(key, call);
  admit(key, operation);
}

import type { Scope } from '@insurance-verification/schema';
import { type OperationFact, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import type { Actor, LiveKey } from '@insurance-verification/store';
import { type Networks, readNetworks } from '../network/client-address.ts';
import type { Call } from './context/call.ts';
import { ProblemError } from './problem.ts';

/** Scopes that act on the caller's own account. All others act across accounts. */
const ownAccountScopes: ReadonlySet<Scope> = new Set(['requests', 'secrets']);

/**
 * Decides who may call an operation, and how far the call reaches: across accounts if one of the caller's scopes for it
 * is such a scope, so that a key with `operate` reads any account's request and one with `requests` its own. Decided
 * here for every operation; the store's statements take it from the caller.
 * @throws {ProblemError} the call's `absent` without a caller, `account_suspended`, `person_required`, `forbidden` without one of the scopes, or
 * `fresh_sign_in_required`.
 */
export function admit(
  key: LiveKey | null,
  entry: OperationFact,
  call: Pick<Call, 'absent' | 'address'>,
): LiveKey | null {
  const { scopes, method, asksFreshSignIn, forPeople, onlyReads } = entry;
  // Where no key is needed, a wrong key counts as none; so does a suspended account's.
  if (scopes.length === 0) return !key || key.suspended ? null : { ...key, by: actorOf(key, call) };
  if (!key) throw new ProblemError(call.absent);
  if (key.suspended) throw new ProblemError('account_suspended');
  if (forPeople && !key.session) throw new ProblemError('person_required');
  const isRead = entry.ofCaller || method === 'GET' || onlyReads;
  const own = isRead && key.readScopes ? [...key.scopes, ...key.readScopes] : key.scopes;
  const held = scopes.filter((scope) => own.includes(scope));
  if (held.length === 0) throw new ProblemError('forbidden', { requiredScopes: scopes });
  if (asksFreshSignIn && key.session && !key.session.isFresh)
    throw new ProblemError('fresh_sign_in_required');
  const by = actorOf(key, call);
  const others = held.filter((scope) => scope !== 'verify');
  if (!entry.ownWork || !held.includes('verify')) {
    const acrossAccounts = held.some((scope) => !ownAccountScopes.has(scope));
    // What another scope gives is not kept to what a verifier is.
    const { verifyWithin, ...unbounded } = key;
    return { ...unbounded, by, acrossAccounts, ...(others.length === 0 && verifyWithin && { verifyWithin }) };
  }
  const acrossAccounts = others.some((scope) => !ownAccountScopes.has(scope));
  return { ...key, by, acrossAccounts, ownWork: others.length > 0 ? 'besides' : 'alone' };
}

/** Who acts, as the line of the audit says it for good. */
const actorOf = ({ name, session }: LiveKey, { address }: Pick<Call, 'address'>): Actor => ({
  name: session?.name ?? name ?? null,
  sessionId: session?.sessionId ?? null,
  address,
  isEmergency: session?.emergencyUntil != null,
});

/**
 * Readmits a call that waits: its caller's rights may have changed since it came.
 * @returns the caller with the rights of now.
 * @throws {ProblemError} as {@link admit} and {@link requireAddress} do.
 */
export async function stillAdmitted(call: Call, operation: OperationName): Promise<LiveKey | null> {
  const key = await call.lookUpCaller();
  if (key) requireAddress(key, call);
  return admit(key, OPERATIONS[operation], call);
}

/** The parsed networks of a key, kept as long as its cached look-up. */
const listsOf = new WeakMap<LiveKey, readonly Networks[]>();

/**
 * Restricts a caller to the networks of its key and its account; a client with an unknown address is in none.
 * @throws {ProblemError} `address_not_allowed`
 */
export function requireAddress(key: LiveKey, call: Call): void {
  if (key.allowedCidrs.length === 0) return;
  let lists = listsOf.get(key);
  if (!lists) listsOf.set(key, (lists = key.allowedCidrs.map(readNetworks)));
  const { address } = call;
  if (address === null || !lists.every((networks) => networks.includes(address)))
    throw new ProblemError('address_not_allowed');
}

import type { LiveKey } from '@insurance-verification/store';
import { type Networks, readNetworks } from '../network/networks.ts';
import type { Call } from './context/call/call.ts';
import { ProblemError } from './problem/problem.ts';

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

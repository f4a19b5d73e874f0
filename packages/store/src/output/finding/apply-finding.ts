import type { Transaction } from 'kysely';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables.ts';
import { type Application, applyFindings } from './apply-findings.ts';
import { openFoundRequest } from './open-found-request.ts';

/**
 * Makes a finding the next result of a request that this transaction locked with `lockRequest`.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Omit<Application, 'request'> & { readonly request: LockedRequest },
): Promise<number> {
  const request = await openFoundRequest(store.vault, application.request);
  const [isApplied] = await applyFindings(trx, store, [{ ...application, request }]);
  if (!isApplied) throw new Error('A locked request was given a result by another.');
  return request.version + 1;
}

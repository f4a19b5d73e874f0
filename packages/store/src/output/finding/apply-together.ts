import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../../connection/is-database-unavailable.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables.ts';
import { type Application, type AppliedWith, applyFindings } from './apply-findings.ts';

/**
 * Applies findings of several senders, so that the fault of one is no other's: of several findings of one request all
 * but the first are left out; and when the statement fails because of any, all are. What is left out is done by itself,
 * and then fails by itself.
 * @param applications null: there is nothing to apply, or it must be decided by itself.
 * @returns whether each was applied.
 * @throws when the database is away, which is nobody's fault and would meet each of them.
 */
export async function applyTogether(
  db: Kysely<Tables>,
  store: Store,
  applications: readonly (Application | null)[],
  also: AppliedWith,
): Promise<boolean[]> {
  const byRequest = new Map<string, Application>();
  for (const application of applications)
    if (application && !byRequest.has(application.request.id))
      byRequest.set(application.request.id, application);
  const together = [...byRequest.values()];
  if (together.length + (also.exchanges?.length ?? 0) === 0) return applications.map(() => false);
  const results = await orNull(() => applyFindings(db, store, together, also));
  const applied = new Set(together.filter((_, index) => results?.[index]));
  return applications.map((application) => application !== null && applied.has(application));
}

/** What comes of each item; null of one that fails. @throws when the database is away. */
export function eachOrNull<Item, Decided>(
  items: readonly Item[],
  decide: (item: Item, index: number) => Promise<Decided | null>,
): Promise<(Decided | null)[]> {
  return Promise.all(items.map((item, index) => orNull(() => decide(item, index))));
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    return null;
  }
}

import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../../connection/is-database-unavailable.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { type Application, type AppliedWith, applyFindings } from './apply-findings.ts';

/**
 * Applies several senders' findings while isolating their faults: of several findings for one request all but the first
 * are skipped; and if the statement fails, all are. The caller processes skipped findings one by one, and each then
 * fails only for itself.
 * @param applications null when there is nothing to apply, or it must be decided separately.
 * @returns whether each was applied.
 * @throws when the database is unreachable, which no sender caused and which would affect all of them.
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

/** The outcome for each item; null for a failing one. @throws when the database is unreachable. */
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

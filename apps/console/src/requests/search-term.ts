import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

/**
 * The search terms of this tab. A member id is patient data, so the history's entry holds only a name for the term:
 * Back leads to the result, and nothing of it is in an address or on a disk. After a reload the terms are gone.
 */
const terms = new Map<string, string>();

/** The present search term, a member id or an Idempotency-Key, and its setter; null: none. */
export function useSearchTerm(): [string | null, (term: string | null) => void] {
  const state = useHistoryState<{ readonly term?: string } | null>();
  const [, go] = useLocation();
  const search = (term: string | null) => {
    const name = crypto.randomUUID();
    if (term !== null) terms.set(name, term);
    go('/requests', { state: term === null ? null : { term: name } });
  };
  return [terms.get(state?.term ?? '') ?? null, search];
}

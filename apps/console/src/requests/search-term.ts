import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

/** What somebody asks about on the phone, besides the request's own id, which leads to its page. */
export interface SearchTerm {
  readonly kind: 'subscriber_id' | 'idempotency_key';
  readonly text: string;
}

/**
 * The terms of this tab. A member id is a patient's: the entry of the browser's history has a name for it alone, so that Back
 * leads to what was found, and nothing of it is in an address or on a disk. A tab that is loaded anew knows none.
 */
const terms = new Map<string, SearchTerm>();

/** The term of the list on screen, and how to search for another one; null for none. */
export function useSearchTerm(): [SearchTerm | null, (term: SearchTerm | null) => void] {
  const state = useHistoryState<{ readonly term?: string } | null>();
  const [, go] = useLocation();
  const search = (term: SearchTerm | null) => {
    const name = crypto.randomUUID();
    if (term !== null) terms.set(name, term);
    go('/requests', { state: term === null ? null : { term: name } });
  };
  return [terms.get(state?.term ?? '') ?? null, search];
}

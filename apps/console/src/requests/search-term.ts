import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

/** What somebody asks about on the phone, besides the request's own id, which leads to its page. */
export interface SearchTerm {
  readonly kind: 'subscriber_id' | 'idempotency_key';
  readonly text: string;
}

/**
 * The terms of this tab. A member id is a patient's: the entry of the browser's history has a number alone, so that Back
 * leads to what was found, and nothing of it is in an address or on a disk.
 */
const terms: SearchTerm[] = [];

/** The term of the list on screen, and how to search for another one; null for none. */
export function useSearchTerm(): [SearchTerm | null, (term: SearchTerm | null) => void] {
  const state = useHistoryState<{ readonly term?: number } | null>();
  const [, go] = useLocation();
  const search = (term: SearchTerm | null) =>
    go('/requests', { state: term === null ? null : { term: terms.push(term) - 1 } });
  return [terms[state?.term ?? -1] ?? null, search];
}

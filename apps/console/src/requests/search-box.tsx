import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import css from '../filters/filters.module.css';

interface SearchBoxProps {
  readonly term: string | null;
  readonly onSearch: (term: string | null) => void;
}

/** Searches requests by member id or Idempotency-Key; a request id opens its page. */
export function SearchBox({ term, onSearch }: SearchBoxProps) {
  const [, go] = useLocation();
  const [text, setText] = useState(term ?? '');
  return (
    <form
      className={`${css.chip} ${css.search}`}
      data-set={term !== null}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted.startsWith('req_')) go(`/requests/${encodeURIComponent(wanted)}`);
        else if (wanted !== (term ?? '')) onSearch(wanted || null);
      }}
    >
      <label htmlFor="find">Find by member id, request id or Idempotency-Key</label>
      <input
        id="find"
        value={text}
        placeholder="Member id, request id or key"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      {term !== null && (
        <button type="button" aria-label="Show all" onClick={() => onSearch(null)}>
          ×
        </button>
      )}
    </form>
  );
}

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

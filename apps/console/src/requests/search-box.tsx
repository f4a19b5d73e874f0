import { useState } from 'react';
import { useLocation } from 'wouter';
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

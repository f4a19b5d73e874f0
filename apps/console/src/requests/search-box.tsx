import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../look/button/button.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import css from '../look/table/table.module.css';
import type { SearchTerm } from './search-term.ts';

const KINDS: Readonly<Record<SearchTerm['kind'] | 'request_id', string>> = {
  subscriber_id: 'Member id',
  idempotency_key: 'Idempotency-Key',
  request_id: 'Request id',
};
type Kind = keyof typeof KINDS;

interface SearchBoxProps {
  readonly term: SearchTerm | null;
  readonly onSearch: (term: SearchTerm | null) => void;
}

/** Searches requests by member id or Idempotency-Key; a request id opens its page. */
export function SearchBox({ term, onSearch }: SearchBoxProps) {
  const [, go] = useLocation();
  const [kind, setKind] = useState<Kind>(term?.kind ?? 'subscriber_id');
  const [text, setText] = useState(term?.text ?? '');
  return (
    <form
      className={css.filters}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted === '') onSearch(null);
        else if (kind === 'request_id') go(`/requests/${encodeURIComponent(wanted)}`);
        else onSearch({ kind, text: wanted });
      }}
    >
      <Field label="Find by" htmlFor="find-by">
        <Select
          id="find-by"
          value={kind}
          onChange={(event) =>
            setKind((Object.keys(KINDS) as Kind[]).find((one) => one === event.target.value) ?? kind)
          }
        >
          {Object.entries(KINDS).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={KINDS[kind]} htmlFor="find">
        <TextInput
          id="find"
          value={text}
          size={34}
          placeholder={kind === 'request_id' ? 'req_…' : 'The whole of it'}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            if (/^\s*req_/.test(event.target.value)) setKind('request_id');
          }}
        />
      </Field>
      <Button type="submit" kind="primary">
        Find
      </Button>
      {term !== null && (
        <Button
          onClick={() => {
            setText('');
            onSearch(null);
          }}
        >
          Show all
        </Button>
      )}
    </form>
  );
}

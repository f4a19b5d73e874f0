import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import css from './held.module.css';

interface OtherRequestProps {
  readonly compared: string | undefined;
  readonly onCompare: (requestId: string | undefined) => void;
}

/** A form that finds another request to compare with, by its id or by the Idempotency-Key that created it. */
export function OtherRequest({ compared, onCompare }: OtherRequestProps) {
  const [text, setText] = useState(compared ?? '');
  const search = useMutation({
    mutationFn: (sought: string) =>
      api.requests.search.mutate(
        sought.startsWith('req_') ? { request_id: sought } : { idempotency_key: sought },
      ),
    onSuccess: ({ items: [found] }) => {
      if (found) onCompare(found.request_id);
    },
  });
  const isNothing = search.data?.items.length === 0;
  return (
    <form
      className={css.other}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') search.mutate(text.trim());
      }}
    >
      <Field
        label="Is it about another request?"
        htmlFor="other"
        fault={isNothing ? 'No request has this id or key.' : undefined}
      >
        <TextInput
          id="other"
          autoComplete="off"
          spellCheck={false}
          placeholder="Its id, or its Idempotency-Key"
          value={text}
          invalid={isNothing}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={search.isPending}>
        Compare
      </Button>
      {compared !== undefined && <Button onClick={() => onCompare(undefined)}>Compare with its own</Button>}
      {search.error && <FailureNotice error={search.error} />}
    </form>
  );
}

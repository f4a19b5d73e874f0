import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Field, Select, TextInput } from '../look/field.tsx';
import { FailureNotice } from '../look/notice.tsx';

interface AccountFieldProps {
  readonly label: string;
  /** The chosen account; null while none is chosen, and for no account. */
  readonly account: FoundAccount | null;
  readonly onChange: (account: FoundAccount | null) => void;
  /** The label of the option for no account; without it an account is required. */
  readonly none?: string;
}

/** A field that chooses an account. With more accounts than one page of the list has, it searches by part of a name. */
export function AccountField({ label, account, onChange, none }: AccountFieldProps) {
  const id = useId();
  const [sought, setSought] = useState('');
  const { data, error } = useAccounts(sought.trim(), 100);
  const isLong = sought !== '' || (data !== undefined && data.next_cursor !== null);
  const items = data?.items ?? [];
  const first = items[0];
  const isThere = items.some((one) => one.account_id === account?.account_id);
  // What is chosen stays to be seen while another part of a name is typed.
  const shown = account && !isThere ? [account, ...items] : items;
  useEffect(() => {
    if (none === undefined && !isThere && first) onChange(first);
  }, [none, isThere, first, onChange]);
  return (
    <>
      {error && <FailureNotice error={error} />}
      {isLong && (
        <Field label="Find an account by part of its name" htmlFor={`${id}-name`}>
          <TextInput
            id={`${id}-name`}
            autoComplete="off"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
        </Field>
      )}
      <Field label={label} htmlFor={id}>
        <Select
          id={id}
          value={account?.account_id ?? ''}
          onChange={(event) => onChange(shown.find((one) => one.account_id === event.target.value) ?? null)}
        >
          {none !== undefined && <option value="">{none}</option>}
          {shown.map((one) => (
            <option key={one.account_id} value={one.account_id}>
              {one.name} ({one.mode}, {one.kind})
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}

export type FoundAccount = Outputs['sessions']['accounts']['items'][number];

/** The accounts that the person may act for, whose names contain the text; read while `enabled`. */
export const useAccounts = (name: string, limit: number, enabled = true) =>
  useQuery({
    queryKey: ['sessions.accounts', name, limit],
    queryFn: ({ signal }) => api.sessions.accounts.query({ name: name || undefined, limit }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  });

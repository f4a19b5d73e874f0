import type { StaffRole } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RoleChoice, rolesFor } from './roles.tsx';

/** Adds a person, of the platform or of one account, and shows the link that signs them in. */
export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [accountId, setAccountId] = useState<string | null>(null);
  const [roles, setRoles] = useState<StaffRole[]>([]);
  const accounts = useQuery({
    queryKey: ['accounts.list', 'choice'],
    queryFn: ({ signal }) => api.accounts.list.query({ limit: 100 }, { signal }),
  });
  const add = useMutation({
    mutationFn: () => api.staff.add.mutate({ name: name.trim(), roles, account_id: accountId }),
  });
  if (add.data) return <LinkDialog name={add.data.name} link={add.data.link} onClose={onClose} />;
  return (
    <FormDialog
      title="Add a person"
      act="Add the person"
      isReady={name.trim() !== '' && roles.length > 0}
      doing={add}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field label="Name" htmlFor="person-name">
        <TextInput
          id="person-name"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="Works for" htmlFor="person-account">
        <Select
          id="person-account"
          value={accountId ?? ''}
          onChange={(event) => {
            const chosen = event.target.value === '' ? null : event.target.value;
            setAccountId(chosen);
            setRoles(rolesFor(chosen, roles));
          }}
        >
          <option value="">The platform: every account</option>
          {accounts.data?.items.map((account) => (
            <option key={account.account_id} value={account.account_id}>
              {account.name} alone
            </option>
          ))}
        </Select>
      </Field>
      <RoleChoice roles={roles} accountId={accountId} onChange={setRoles} />
    </FormDialog>
  );
}

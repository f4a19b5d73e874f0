import type { StaffRole } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import css from '../look/form/form.module.css';
import { Notice } from '../look/state/notice.tsx';
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
  const failure = add.error && failureOf(add.error);
  return (
    <Dialog title="Add a person" onClose={onClose}>
      {failure && <Notice tone="bad">{failure.faults[0]?.msg ?? failure.sentence}</Notice>}
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
      <div className={css.buttons}>
        <Button
          kind="primary"
          disabled={name.trim() === '' || roles.length === 0 || add.isPending}
          onClick={() => add.mutate()}
        >
          Add the person
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

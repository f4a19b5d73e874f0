import type { StaffRole } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AccountField } from '../account/account-field.tsx';
import type { FoundAccount } from '../account/use-accounts.ts';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RoleChoice, rolesFor } from './roles.tsx';

/** Adds a person, of the platform or of one account, and shows the link that signs them in. */
export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [account, setAccount] = useState<FoundAccount | null>(null);
  const accountId = account?.account_id ?? null;
  const [roles, setRoles] = useState<StaffRole[]>([]);
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
      <AccountField
        label="Works for"
        none="The platform: every account"
        account={account}
        onChange={(chosen) => {
          setAccount(chosen);
          setRoles(rolesFor(chosen?.account_id ?? null, roles));
        }}
      />
      <RoleChoice roles={roles} accountId={accountId} onChange={setRoles} />
    </FormDialog>
  );
}

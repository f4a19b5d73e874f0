import { AccountKind, AccountMode } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';

/** A dialog that creates an account. */
export function MakeAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AccountKind>('provider');
  const [mode, setMode] = useState<AccountMode>('live');
  const make = useMutation({
    mutationFn: () => api.accounts.create.mutate({ name: name.trim(), kind, mode }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Make an account"
      act="Make the account"
      isReady={name.trim() !== ''}
      doing={make}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <Field label="Name" htmlFor="account-name">
        <TextInput
          id="account-name"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="Kind" htmlFor="account-kind">
        <Select
          id="account-kind"
          value={kind}
          onChange={(event) => setKind(AccountKind.parse(event.target.value))}
        >
          <option value="provider">Provider: posts requests</option>
          <option value="platform">Platform: works on those of every account</option>
        </Select>
      </Field>
      <Field label="Mode" htmlFor="account-mode">
        <Select
          id="account-mode"
          value={mode}
          onChange={(event) => setMode(AccountMode.parse(event.target.value))}
        >
          <option value="live">Live: real patients, real payers</option>
          <option value="test">Test: the sandbox answers</option>
        </Select>
      </Field>
    </FormDialog>
  );
}

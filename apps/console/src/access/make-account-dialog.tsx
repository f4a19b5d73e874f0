import { AccountKind, AccountMode } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import formCss from '../look/form/form.module.css';
import { Notice } from '../look/state/notice.tsx';

/** Makes an account, to which keys and people can be given. */
export function MakeAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AccountKind>('provider');
  const [mode, setMode] = useState<AccountMode>('live');
  const make = useMutation({
    mutationFn: () => api.accounts.create.mutate({ name: name.trim(), kind, mode }),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Make an account" onClose={onClose}>
      {make.error && <Notice tone="bad">{failureOf(make.error).sentence}</Notice>}
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
      <div className={formCss.buttons}>
        <Button kind="primary" disabled={name.trim() === '' || make.isPending} onClick={() => make.mutate()}>
          Make the account
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

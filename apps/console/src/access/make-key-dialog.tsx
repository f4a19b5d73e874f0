import { Scope } from '@insurance-verification/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import css from './access.module.css';
import { AccountField, type FoundAccount } from './choose-account.tsx';

const MAY: Readonly<Record<Scope, string>> = {
  requests: 'Post and read the account’s own requests',
  secrets: 'See and rotate the account’s webhook secret',
  verify: 'Work on requests of every account',
  operate: 'Look after requests of every account',
  admin: 'Manage accounts, keys and people',
  audit: 'Read who did what',
  privacy: 'Decide what is kept and erased',
};

/** A dialog that creates a key and shows its text, which is never shown again. */
export function MakeKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [account, setAccount] = useState<FoundAccount | null>(null);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['requests']);
  // Keys of providers act on their own account only.
  const offered = account?.kind === 'platform' ? Scope.options : (['requests', 'secrets'] as const);
  const make = useMutation({
    mutationFn: (of: string) =>
      api.keys.create.mutate({
        account_id: of,
        scopes: scopes.filter((scope) => (offered as readonly Scope[]).includes(scope)),
        name: name.trim() || null,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys.list'] }),
  });
  if (make.data)
    return (
      <Dialog title="Copy the key now" onClose={undefined}>
        <p>It is shown this once. The service keeps nothing that it could be read from again.</p>
        <p className={css.secret}>
          <code>{make.data.key}</code>
          <CopyButton text={make.data.key} name="the key" />
        </p>
        <div>
          <Button onClick={onClose}>I have it</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Make a key"
      act="Make the key"
      isReady={account !== null}
      doing={make}
      onSubmit={() => account && make.mutate(account.account_id)}
      onClose={onClose}
    >
      <AccountField label="Account" account={account} onChange={setAccount} />
      <Field label="Name" htmlFor="key-name">
        <TextInput
          id="key-name"
          autoComplete="off"
          placeholder="What it is for"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <fieldset className={formCss.choices}>
        <legend>It may</legend>
        {offered.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
            {MAY[scope]}
          </label>
        ))}
      </fieldset>
      <p>It works for a year.</p>
    </FormDialog>
  );
}

import { AccountKind, AccountMode } from '@insurance-verification/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import { Field, Select, TextInput } from '../look/field.tsx';
import { Named } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import { Empty, FailureNotice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import type { Column } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { accountRetentionWords, RetentionDialog } from './retention-dialog.tsx';

type Account = Outputs['accounts']['list']['items'][number];

/** `/accounts`: the accounts, with buttons for their limits, retention, networks and suspension. */
export function AccountsPage() {
  const [isMaking, setIsMaking] = useState(false);
  const [suspending, setSuspending] = useState<Account | null>(null);
  const [limiting, setLimiting] = useState<Account | null>(null);
  const [retaining, setRetaining] = useState<Account | null>(null);
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: ['accounts.list'] });
  const resume = useMutation({
    mutationFn: (accountId: string) => api.accounts.resume.mutate({ account_id: accountId }),
    onSuccess: again,
  });
  const close = () => {
    setIsMaking(false);
    setSuspending(null);
    setRetaining(null);
    void again();
  };
  const suspend = useMutation({
    mutationFn: (accountId: string) => api.accounts.suspend.mutate({ account_id: accountId }),
    onSuccess: close,
  });
  const columns: readonly Column<Account>[] = [
    {
      head: 'Name',
      is: 'name',
      cell: ({ account_id: id, name }) => <Named id={id} name={name} />,
    },
    {
      head: 'Standing',
      cell: (account) => (
        <span className={css.standing}>
          {account.suspended_at === null ? (
            <Mark tone="good">Active</Mark>
          ) : (
            <Mark tone="warn">Suspended</Mark>
          )}
          {account.suspended_at === null ? (
            <Button onClick={() => setSuspending(account)}>
              Suspend …<Unseen> {account.name}</Unseen>
            </Button>
          ) : (
            <Button disabled={resume.isPending} onClick={() => resume.mutate(account.account_id)}>
              Resume<Unseen> {account.name}</Unseen>
            </Button>
          )}
        </span>
      ),
    },
    { head: 'Kind', from: 'middle', cell: ({ kind }) => kind },
    { head: 'Mode', from: 'middle', cell: ({ mode }) => mode },
    { head: 'Made', from: 'middle', cell: (account) => <Time at={account.created_at} /> },
    {
      head: 'Retention',
      from: 'middle',
      cell: (account) => (
        <span className={css.standing}>
          <Button onClick={() => setRetaining(account)}>
            <Unseen>Retention of {account.name}: </Unseen>
            {accountRetentionWords(account)} …
          </Button>
        </span>
      ),
    },
    {
      head: 'Limits',
      cell: (account) => (
        <span className={css.standing}>
          <Button onClick={() => setLimiting(account)}>
            Limits …<Unseen> of {account.name}</Unseen>
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Accounts"
      actions={
        <Button kind="primary" onClick={() => setIsMaking(true)}>
          Make an account
        </Button>
      }
    >
      {resume.error && <FailureNotice error={resume.error} />}
      <PagedList
        operation="accounts.list"
        read={(page, signal) => api.accounts.list.query(page, { signal })}
        nouns={['account', 'accounts']}
        columns={columns}
        keyOf={({ account_id: id }) => id}
        none={<Empty title="No accounts yet">Requests belong to one. Make the first.</Empty>}
      />
      {isMaking && <MakeAccountDialog onClose={close} />}
      {retaining && <RetentionDialog account={retaining} onClose={close} />}
      {limiting && <LimitsDialog account={limiting} onClose={() => setLimiting(null)} />}
      {suspending && (
        <FormDialog
          title={`Suspend ${suspending.name}`}
          act="Suspend the account"
          kind="danger"
          doing={suspend}
          onSubmit={() => suspend.mutate(suspending.account_id)}
          onClose={close}
        >
          <p>
            Its keys are refused from now on. What it had posted is still verified and delivered. You can
            resume it.
          </p>
        </FormDialog>
      )}
    </Page>
  );
}

/** A dialog that creates an account. */
function MakeAccountDialog({ onClose }: { readonly onClose: () => void }) {
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

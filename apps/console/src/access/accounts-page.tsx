import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Named } from '../look/table/named.tsx';
import type { Column } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { AccessList } from './access-list.tsx';
import css from './access.module.css';
import { LimitsDialog } from './limits-dialog.tsx';
import { MakeAccountDialog } from './make-account-dialog.tsx';
import { RetentionDialog } from './retention-dialog.tsx';
import { accountRetentionWords } from './retention-words.ts';

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
      <AccessList
        name="accounts.list"
        read={(page, signal) => api.accounts.list.query(page, { signal })}
        caption="Accounts, newest first"
        columns={columns}
        keyOf={({ account_id: id }) => id}
        empty={<Empty title="No accounts yet">Requests belong to one. Make the first.</Empty>}
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

import { AccountKind, AccountMode } from '@insurance-verification/schema';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { CopyButton } from '../look/copy-button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, Select, TextInput } from '../look/field.tsx';
import { Loaded } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { Pager } from '../look/pager.tsx';
import { SkeletonRows } from '../look/skeleton.tsx';
import { IdCell, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useQueryModel } from '../look/use-query-model.ts';
import css from './access.module.css';

type Account = Outputs['accounts']['list']['items'][number];

const Filters = z.object({ cursor: z.string().optional() });

/** Whom requests belong to. */
export function AccountsPage() {
  const [{ cursor }, change] = useQueryModel(Filters);
  const [isMaking, setIsMaking] = useState(false);
  const [suspending, setSuspending] = useState<Account | null>(null);
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['accounts.list', cursor],
    queryFn: ({ signal }) => api.accounts.list.query({ cursor, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const again = () => queries.invalidateQueries({ queryKey: ['accounts.list'] });
  const resume = useMutation({
    mutationFn: (accountId: string) => api.accounts.resume.mutate({ account_id: accountId }),
    onSuccess: again,
  });
  const close = () => {
    setIsMaking(false);
    setSuspending(null);
    void again();
  };
  return (
    <Page
      title="Accounts"
      actions={
        <Button kind="primary" onClick={() => setIsMaking(true)}>
          Make an account
        </Button>
      }
    >
      {resume.error && <Notice tone="bad">{failureOf(resume.error).sentence}</Notice>}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            <Table
              caption="Accounts, newest first"
              columns={['Name', 'Account', 'Kind', 'Mode', 'Made', 'Standing']}
            >
              {items.map((account) => (
                <tr key={account.account_id}>
                  <th scope="row">{account.name}</th>
                  <td>
                    <IdCell>
                      <code>{account.account_id}</code>
                      <CopyButton text={account.account_id} name="the account id" />
                    </IdCell>
                  </td>
                  <td>{account.kind}</td>
                  <td>{account.mode}</td>
                  <td>
                    <Time at={account.created_at} />
                  </td>
                  <td>
                    <span className={css.standing}>
                      {account.suspended_at === null ? (
                        <Mark tone="good">Active</Mark>
                      ) : (
                        <Mark tone="warn">Suspended</Mark>
                      )}
                      {account.suspended_at === null ? (
                        <Button onClick={() => setSuspending(account)}>Suspend …</Button>
                      ) : (
                        <Button disabled={resume.isPending} onClick={() => resume.mutate(account.account_id)}>
                          Resume
                        </Button>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </Table>
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
      {isMaking && <MakeAccountDialog onClose={close} />}
      {suspending && <SuspendDialog account={suspending} onClose={close} />}
    </Page>
  );
}

function MakeAccountDialog({ onClose }: { readonly onClose: () => void }) {
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
      <div className={css.buttons}>
        <Button kind="primary" disabled={name.trim() === '' || make.isPending} onClick={() => make.mutate()}>
          Make the account
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

function SuspendDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const suspend = useMutation({
    mutationFn: () => api.accounts.suspend.mutate({ account_id: account.account_id }),
    onSuccess: onClose,
  });
  return (
    <Dialog title={`Suspend ${account.name}`} onClose={onClose}>
      <p>
        Its keys are refused from now on. What it had posted is still verified and delivered. You can resume
        it.
      </p>
      {suspend.error && <Notice tone="bad">{failureOf(suspend.error).sentence}</Notice>}
      <div className={css.buttons}>
        <Button kind="danger" disabled={suspend.isPending} onClick={() => suspend.mutate()}>
          Suspend the account
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountRetentionWords, RetentionDialog } from '../access/retention-dialog.tsx';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Named } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Unseen } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import type { Column } from '../look/table.tsx';
import { AskErasureDialog, CertificateDialog, ConfirmErasureDialog, erasureColumns } from './erasures.tsx';
import { EndHoldDialog, holdColumns, PlaceHoldDialog } from './holds.tsx';

type Erasure = Outputs['erasures']['list']['items'][number];
type Hold = Outputs['holds']['list']['items'][number];
type Account = Outputs['accounts']['list']['items'][number];

/** What is open over the page. */
type Open =
  | { readonly kind: 'ask' | 'place' }
  | { readonly kind: 'confirm' | 'certificate'; readonly erasure: Erasure }
  | { readonly kind: 'end'; readonly hold: Hold }
  | { readonly kind: 'retention'; readonly account: Account };

/** `/privacy`: erasures with their second person and certificates, legal holds, and how long accounts keep data. */
export function PrivacyPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const queries = useQueryClient();
  const close = () => {
    setOpen(null);
    for (const name of ['erasures.list', 'holds.list', 'accounts.list'])
      void queries.invalidateQueries({ queryKey: [name] });
  };
  return (
    <Page
      title="Privacy"
      actions={
        <>
          <Button onClick={() => setOpen({ kind: 'place' })}>Place a hold …</Button>
          <Button kind="primary" onClick={() => setOpen({ kind: 'ask' })}>
            Erase a request …
          </Button>
        </>
      }
    >
      <section className={css.part}>
        <h2>Erasures</h2>
        <PagedList
          operation="erasures.list"
          nouns={['erasure', 'erasures']}
          limit={20}
          place="here"
          read={(page, signal) => api.erasures.list.query(page, { signal })}
          columns={erasureColumns(
            (erasure) => setOpen({ kind: 'confirm', erasure }),
            (erasure) => setOpen({ kind: 'certificate', erasure }),
          )}
          keyOf={({ erasure_id: id }) => id}
          none={<Empty title="No erasures">A wrong patient was posted? Erase the request.</Empty>}
        />
      </section>
      <section className={css.part}>
        <h2>Legal holds</h2>
        <PagedList
          operation="holds.list"
          nouns={['legal hold', 'legal holds']}
          limit={20}
          place="here"
          read={(page, signal) => api.holds.list.query(page, { signal })}
          columns={holdColumns((hold) => setOpen({ kind: 'end', hold }))}
          keyOf={({ hold_id: id }) => id}
          none={<Empty title="No legal holds">One keeps a request, or an account, from every erasure.</Empty>}
        />
      </section>
      <section className={css.part}>
        <h2>Retention</h2>
        <PagedList
          operation="accounts.list"
          nouns={['account', 'accounts']}
          limit={20}
          place="here"
          read={(page, signal) => api.accounts.list.query(page, { signal })}
          columns={accountColumns((account) => setOpen({ kind: 'retention', account }))}
          keyOf={({ account_id: id }) => id}
          none={<Empty title="No accounts yet">An administrator makes them.</Empty>}
        />
      </section>
      {open?.kind === 'ask' && <AskErasureDialog onClose={close} />}
      {open?.kind === 'place' && <PlaceHoldDialog onClose={close} />}
      {open?.kind === 'confirm' && <ConfirmErasureDialog erasure={open.erasure} onClose={close} />}
      {open?.kind === 'certificate' && <CertificateDialog erasure={open.erasure} onClose={close} />}
      {open?.kind === 'end' && <EndHoldDialog hold={open.hold} onClose={close} />}
      {open?.kind === 'retention' && <RetentionDialog account={open.account} onClose={close} />}
    </Page>
  );
}

const accountColumns = (onChange: (account: Account) => void): readonly Column<Account>[] => [
  {
    head: 'Account',
    is: 'name',
    cell: ({ account_id: id, name }) => <Named id={id} name={name} />,
  },
  { head: 'Mode', cell: ({ mode }) => mode },
  {
    head: 'Data of finished requests',
    cell: (account) => (
      <span className={css.standing}>
        <Button onClick={() => onChange(account)}>
          <Unseen>Retention of {account.name}: </Unseen>
          {accountRetentionWords(account)} …
        </Button>
      </span>
    ),
  },
];

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Named } from '../look/table/named.tsx';
import { type Column, IdCell } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { AccessList } from './access-list.tsx';
import css from './access.module.css';
import { Bounds } from './bounds.tsx';
import { LeftKeys } from './left-keys.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type ApiKey = Outputs['keys']['list']['items'][number];

/** `/keys`: the API keys of all accounts, with their last use, and buttons that create and revoke one. */
export function KeysPage() {
  const queries = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const [showsSecret, setShowsSecret] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.keys.revoke.mutate({ key_id: keyId }),
    onSuccess: () => {
      setEnding(null);
      return queries.invalidateQueries({ queryKey: ['keys.list'] });
    },
  });
  const columns: readonly Column<ApiKey>[] = [
    {
      head: 'Name',
      is: 'words',
      cell: ({ key_id: id, name, prefix }) => (
        <IdCell>
          {name ?? <code>{prefix}…</code>}
          <CopyButton text={id} name={`the id of the key ${name ?? prefix}`} />
        </IdCell>
      ),
    },
    {
      head: 'Standing',
      cell: (key) => (
        <span className={css.standing}>
          <Standing apiKey={key} />
          {isLive(key) && key.creator_left && <Mark tone="warn">Its maker left</Mark>}
          {isLive(key) && (
            <Button onClick={() => setEnding(key)}>
              Revoke …<Unseen> {key.name ?? key.prefix}</Unseen>
            </Button>
          )}
        </span>
      ),
    },
    {
      head: 'Key',
      from: 'wide',
      cell: ({ prefix }) => <code>{prefix}…</code>,
    },
    {
      head: 'Last used',
      from: 'middle',
      cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />),
    },
    {
      head: 'Account',
      is: 'words',
      from: 'middle',
      cell: (key) => <Named id={key.account_id} name={key.account_name} />,
    },
    {
      head: 'May',
      is: 'words',
      cell: (key) => (
        <>
          {key.scopes.join(', ')}
          <Bounds within={key.verify_within} />
        </>
      ),
    },
  ];
  return (
    <Page
      title="Keys"
      actions={
        <>
          <Button onClick={() => setShowsSecret(true)}>Webhook secret …</Button>
          <Button kind="primary" onClick={() => setIsMaking(true)}>
            Make a key
          </Button>
        </>
      }
    >
      <LeftKeys />
      <AccessList
        name="keys.list"
        read={(page, signal) => api.keys.list.query(page, { signal })}
        caption="Keys, newest first"
        columns={columns}
        keyOf={({ key_id: id }) => id}
        empty={
          <Empty title="No keys yet">
            A program calls the service with a key of its account. Make the first.
          </Empty>
        }
      />
      {isMaking && <MakeKeyDialog onClose={() => setIsMaking(false)} />}
      {showsSecret && <SecretDialog onClose={() => setShowsSecret(false)} />}
      {ending && (
        <FormDialog
          title={`Revoke ${ending.name ?? ending.prefix}`}
          act="Revoke the key"
          kind="danger"
          doing={revoke}
          onSubmit={() => revoke.mutate(ending.key_id)}
          onClose={() => setEnding(null)}
        >
          <p>
            Whatever calls with this key is refused from now on. This cannot be undone; a new key can be made.
          </p>
        </FormDialog>
      )}
    </Page>
  );
}

const isExpired = ({ expires_at: at }: ApiKey) => at !== null && Date.parse(at) <= serverNow();
const isLive = (key: ApiKey) => key.revoked_at === null && !isExpired(key);

function Standing({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) return <Mark tone="quiet">Revoked</Mark>;
  if (isExpired(apiKey)) return <Mark tone="quiet">Expired</Mark>;
  return <Mark tone="good">Works</Mark>;
}

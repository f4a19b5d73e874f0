import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { Named } from '../look/ids.tsx';
import layoutCss from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import { Empty, FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, IdCell } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { Bounds } from './bounds.tsx';
import { EndedDialog, SuccessorField, successorOf } from './made-endpoints.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { Secrets } from './secrets.tsx';

type ApiKey = Outputs['keys']['list']['items'][number];

/** `/keys`: the API keys of all accounts, with their last use, and buttons that create and revoke one. */
export function KeysPage() {
  const queries = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const [showsSecret, setShowsSecret] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const [successor, setSuccessor] = useState('');
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      api.keys.revoke.mutate({ key_id: keyId, successor: successorOf(successor) }),
    onSuccess: () => {
      leave();
      return queries.invalidateQueries({ queryKey: ['keys.list'] });
    },
  });
  const leave = () => {
    setEnding(null);
    setSuccessor('');
  };
  const ended = revoke.data;
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
        <span className={layoutCss.standing}>
          <Standing apiKey={key} />
          {isLive(key) && key.creator_left && <Mark tone="warn">Its maker left</Mark>}
          {endsSoon(key) && <EndsSoon apiKey={key} />}
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
      <PagedList
        operation="keys.list"
        read={(page, signal) => api.keys.list.query(page, { signal })}
        nouns={['key', 'keys']}
        columns={columns}
        keyOf={({ key_id: id }) => id}
        none={
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
          onClose={leave}
        >
          <p>
            Whatever calls with this key is refused from now on. This cannot be undone; a new key can be made.
          </p>
          <SuccessorField endpointIds={ending.endpoint_ids} value={successor} onChange={setSuccessor} />
        </FormDialog>
      )}
      {ended && ended.endpoints.length > 0 && (
        <EndedDialog
          name={ended.name ?? ended.prefix}
          endpoints={ended.endpoints}
          onClose={() => revoke.reset()}
        />
      )}
    </Page>
  );
}

const isExpired = ({ expires_at: at }: ApiKey) => at !== null && Date.parse(at) <= serverNow();
const isLive = (key: ApiKey) => key.revoked_at === null && !isExpired(key);

/** The time before the end of a key at which the event `key.expiring` comes. */
const SOON_MS = 14 * 86_400_000;

const endsSoon = (key: ApiKey) =>
  isLive(key) && key.expires_at !== null && Date.parse(key.expires_at) - serverNow() <= SOON_MS;

/** When a key ends by its date, and what becomes of its endpoints then. */
const EndsSoon = ({ apiKey: { expires_at: at, endpoint_ids: endpoints } }: { readonly apiKey: ApiKey }) => (
  <>
    <Mark tone="warn">Ends soon</Mark>
    <span>
      {at !== null && <Time at={at} />}
      {endpoints.length > 0 && '; its endpoints are the account’s then'}
    </span>
  </>
);

function Standing({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) return <Mark tone="quiet">Revoked</Mark>;
  if (isExpired(apiKey)) return <Mark tone="quiet">Expired</Mark>;
  return <Mark tone="good">Works</Mark>;
}

/** Warns of keys that still work and were made by people who have left: they may have taken them along. */
function LeftKeys() {
  const { data } = useQuery({
    queryKey: ['keys.list', 'left'],
    queryFn: ({ signal }) => api.keys.list.query({ creator: 'left', limit: 50 }, { signal }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Notice tone="warn">
      Made by people who have left, and still working:{' '}
      {data.items.map(({ name, prefix }) => name ?? `${prefix}…`).join(', ')}
      {data.next_cursor !== null && ', and more'}. Make others for what needs them, and revoke these.
    </Notice>
  );
}

/**
 * A dialog for the webhook secret of the person's account. It is read on a click, since each reading is in the audit
 * and counts against a limit.
 */
function SecretDialog({ onClose }: { readonly onClose: () => void }) {
  const show = useMutation({ mutationFn: () => api.webhookSecret.get.query() });
  const rotate = useMutation({ mutationFn: () => api.webhookSecret.rotate.mutate() });
  const secret = rotate.data ?? show.data;
  const failed = rotate.error ?? show.error;
  const isPending = rotate.isPending || show.isPending;
  return (
    <Dialog title="Webhook secret" onClose={onClose}>
      <p>
        It signs the webhooks of your own account. A new one signs at once; the one before also signs for 24
        hours, so that receivers can change over.
      </p>
      {failed && <FailureNotice error={failed} />}
      {secret && <Secrets secret={secret} />}
      <div className={layoutCss.row}>
        {!secret && (
          <Button kind="primary" disabled={isPending} onClick={() => show.mutate()}>
            Show it
          </Button>
        )}
        <Button kind="danger" disabled={isPending} onClick={() => rotate.mutate()}>
          Make a new one
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

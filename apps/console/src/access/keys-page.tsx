import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { api, type Outputs, serverNow } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Mark } from '../look/icon.tsx';
import { Page } from '../look/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { type Column, IdCell, Named, Pager, PLACE, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { useKeptPlace } from '../look/use-place.ts';
import css from './access.module.css';
import { Bounds } from './limits-dialog.tsx';
import { MakeKeyDialog, SecretDialog } from './make-key-dialog.tsx';

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

/** Warns of keys that still work and were made by people who have left: they may have taken them along. */
export function LeftKeys() {
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

const Place = z.object(PLACE);

interface AccessListProps<Item> {
  /** The operation; its answers are read again when a query of this name is invalidated. */
  readonly name: string;
  readonly read: (
    page: { cursor: string | undefined; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>;
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: ReactNode;
}

/** A paged list of accounts, keys or people, newest first. */
export function AccessList<Item>({ name, read, caption, columns, keyOf, empty }: AccessListProps<Item>) {
  const [{ cursor, page }, change] = useQueryModel(Place);
  const query = useQuery({
    queryKey: [name, cursor],
    queryFn: ({ signal }) => read({ cursor, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  });
  useKeptPlace(query.data !== undefined);
  return (
    <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
      {({ items, next_cursor: next }) => (
        <>
          {items.length === 0 ? (
            empty
          ) : (
            <Table caption={caption} items={items} columns={columns} keyOf={keyOf} />
          )}
          <Pager place={{ cursor, page }} next={next} count={items.length} onGo={change} />
        </>
      )}
    </Loaded>
  );
}

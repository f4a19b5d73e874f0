import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Empty } from '../look/empty.tsx';
import { Loaded } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { Pager } from '../look/pager.tsx';
import { SkeletonRows } from '../look/skeleton.tsx';
import { Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useQueryModel } from '../look/use-query-model.ts';
import css from './access.module.css';
import { MakeKeyDialog } from './make-key-dialog.tsx';

type ApiKey = Outputs['keys']['list']['items'][number];

const Filters = z.object({ cursor: z.string().optional() });

/** Every account's keys: which live, who used them last, and how to make and end one. */
export function KeysPage() {
  const [{ cursor }, change] = useQueryModel(Filters);
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const query = useQuery({
    queryKey: ['keys.list', cursor],
    queryFn: ({ signal }) => api.keys.list.query({ cursor, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Keys"
      actions={
        <Button kind="primary" onClick={() => setIsMaking(true)}>
          Make a key
        </Button>
      }
    >
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty title="No keys yet">
                A program calls the service with a key of its account. Make the first.
              </Empty>
            ) : (
              <Table
                caption="Keys, newest first"
                columns={['Name', 'Standing', 'Key', 'May', 'Last used', 'Account']}
              >
                {items.map((key) => (
                  <tr key={key.key_id}>
                    <td>{key.name ?? '–'}</td>
                    <td>
                      <span className={css.standing}>
                        <Standing apiKey={key} />
                        {isLive(key) && <Button onClick={() => setEnding(key)}>Revoke …</Button>}
                      </span>
                    </td>
                    <td>
                      <code>{key.prefix}…</code>
                    </td>
                    <td>{key.scopes.join(', ')}</td>
                    <td>{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}</td>
                    <td>
                      <code>{key.account_id}</code>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
      {isMaking && <MakeKeyDialog onClose={() => setIsMaking(false)} />}
      {ending && <RevokeDialog apiKey={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

const isExpired = ({ expires_at: at }: ApiKey) => at !== null && Date.parse(at) <= Date.now();
const isLive = (key: ApiKey) => key.revoked_at === null && !isExpired(key);

function Standing({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) return <Mark tone="quiet">Revoked</Mark>;
  if (isExpired(apiKey)) return <Mark tone="quiet">Expired</Mark>;
  return <Mark tone="good">Works</Mark>;
}

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.keys.revoke.mutate({ key_id: apiKey.key_id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['keys.list'] });
      onClose();
    },
  });
  return (
    <Dialog title={`Revoke ${apiKey.name ?? apiKey.prefix}`} onClose={onClose}>
      <p>
        Whatever calls with this key is refused from now on. This cannot be undone; a new key can be made.
      </p>
      {revoke.error && <Notice tone="bad">{failureOf(revoke.error).sentence}</Notice>}
      <div className={css.buttons}>
        <Button kind="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke the key
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

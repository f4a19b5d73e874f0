import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { Button } from '../look/button/button.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import tableCss from '../look/table/table.module.css';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { AccessList } from './access-list.tsx';
import css from './access.module.css';
import { boundsInWords } from './bounds-in-words.ts';
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
        columns={['Name', 'Standing', 'Key', 'Last used', 'Account', 'May']}
        empty={
          <Empty title="No keys yet">
            A program calls the service with a key of its account. Make the first.
          </Empty>
        }
        row={(key) => (
          <tr key={key.key_id}>
            <td>{key.name ?? '–'}</td>
            <td>
              <span className={css.standing}>
                <Standing apiKey={key} />
                {isLive(key) && key.creator_left && <Mark tone="warn">Its maker left</Mark>}
                {isLive(key) && (
                  <Button onClick={() => setEnding(key)}>
                    Revoke …<Unseen> {key.name ?? key.prefix}</Unseen>
                  </Button>
                )}
              </span>
            </td>
            <td>
              <code>{key.prefix}…</code>
            </td>
            <td>{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}</td>
            <td>
              <ShortId id={key.account_id} of="account id" />
            </td>
            <td className={tableCss.wide}>
              {[key.scopes.join(', '), boundsInWords(key.verify_within)].filter(Boolean).join('. ')}
            </td>
          </tr>
        )}
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

import { useMutation } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import formCss from '../look/form/form.module.css';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Time } from '../look/time/time.tsx';
import css from './access.module.css';

/**
 * A dialog for the webhook secret of the person's account. It is read on a click, since each reading is in the audit
 * and counts against a limit.
 */
export function SecretDialog({ onClose }: { readonly onClose: () => void }) {
  const show = useMutation({ mutationFn: () => api.webhookSecret.get.query(), gcTime: 0 });
  const rotate = useMutation({ mutationFn: () => api.webhookSecret.rotate.mutate(), gcTime: 0 });
  const secret = rotate.data ?? show.data;
  const failed = rotate.error ?? show.error;
  const isPending = rotate.isPending || show.isPending;
  return (
    <Dialog title="Webhook secret" onClose={onClose}>
      <p>
        It signs the webhooks of your own account. A new one signs at once; the one before signs beside it for
        24 hours, so that receivers can change over.
      </p>
      {failed && <FailureNotice error={failed} />}
      {secret && <Secrets secret={secret} />}
      <div className={formCss.buttons}>
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

function Secrets({ secret }: { readonly secret: Outputs['webhookSecret']['get'] }) {
  const { current, previous, previous_valid_until: until } = secret;
  return (
    <>
      <p className={css.secret}>
        <code>{current}</code>
        <CopyButton text={current} name="the secret" />
      </p>
      {previous !== null && until !== null && (
        <>
          <p>
            The one before signs too until <Time at={until} />:
          </p>
          <p className={css.secret}>
            <code>{previous}</code>
            <CopyButton text={previous} name="the secret before" />
          </p>
        </>
      )}
    </>
  );
}

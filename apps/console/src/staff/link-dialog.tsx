import css from '../access/access.module.css';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { Time } from '../look/time/time.tsx';

interface LinkDialogProps {
  readonly name: string;
  /** Null where no link is made, since people sign in with the provider. */
  readonly link: { readonly path: string; readonly expires_at: string } | null;
  readonly onClose: () => void;
}

/** A dialog with a one-time sign-in link or invitation, which is never shown again. */
export function LinkDialog({ name, link, onClose }: LinkDialogProps) {
  if (link === null)
    return (
      <Dialog title={`${name} is invited`} onClose={onClose}>
        <p>People sign in with the provider here, so there is no link. Send them this console’s address.</p>
        <div>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  const address = `${location.origin}${link.path}`;
  return (
    <Dialog title={`Send ${name} this link`} onClose={undefined}>
      <p>
        Whoever uses it first is signed in as {name}. It works once, until <Time at={link.expires_at} />, and
        is shown this once.
      </p>
      <p className={css.secret}>
        <code>{address}</code>
        <CopyButton text={address} name="the link" />
      </p>
      <div>
        <Button onClick={onClose}>I have it</Button>
      </div>
    </Dialog>
  );
}

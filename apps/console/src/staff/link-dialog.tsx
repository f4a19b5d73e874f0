import css from '../access/access.module.css';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { Time } from '../look/time/time.tsx';

interface LinkDialogProps {
  readonly name: string;
  /** Null where people sign in with a provider alone. */
  readonly link: { readonly path: string; readonly expires_at: string } | null;
  readonly onClose: () => void;
}

/** A link of a person's own, shown this once. */
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
        Whoever opens it first is signed in as {name}. It works once, until <Time at={link.expires_at} />, and
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

import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import css from '../form/form.module.css';
import { FailureNotice } from '../state/failure-notice.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  /** What the button says: the act, not “OK”. */
  readonly act: string;
  /** `danger`: others feel it, and it cannot simply be undone. */
  readonly kind?: 'primary' | 'danger';
  /** Whether everything that the act needs is there. */
  readonly isReady?: boolean;
  /** How the act goes. */
  readonly doing: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** What it does, and what must be said first. */
  readonly children: ReactNode;
}

/** Asks for what an act needs, or once more whether it is meant; says why it failed, and keeps what was typed. */
export function FormDialog({
  title,
  act,
  kind = 'primary',
  isReady = true,
  doing: { isPending, error },
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onSubmit();
        }}
      >
        {error !== null && <FailureNotice error={error} />}
        {children}
        <div className={css.buttons}>
          <Button kind={kind} type="submit" disabled={!isReady || isPending}>
            {act}
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  );
}

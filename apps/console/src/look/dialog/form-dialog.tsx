import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import css from '../form/form.module.css';
import { FailureNotice } from '../state/failure-notice.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The label of the button: the action, not “OK”. */
  readonly act: string;
  /** `danger`: it affects others and cannot simply be undone. */
  readonly kind?: 'primary' | 'danger';
  /** Whether the form is complete; until then the button is disabled. */
  readonly isReady?: boolean;
  /** The state of the call. */
  readonly doing: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** The text and fields of the dialog. */
  readonly children: ReactNode;
}

/** A dialog with a form or a confirmation. A failed call is shown in it, and typed text stays. */
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

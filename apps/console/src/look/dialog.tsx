import { createContext, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import css from './dialog.module.css';
import formCss from './form.module.css';
import { Late } from './late.tsx';
import layoutCss from './layout.module.css';
import { FailureNotice } from './notice.tsx';

interface DialogProps {
  readonly title: string;
  /** Called on Escape; undefined: the dialog cannot be cancelled. */
  readonly onClose: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A modal `<dialog>`: the browser traps the focus and returns it on close. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={css.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      <InDialog value={true}>{children}</InDialog>
    </dialog>
  );
}

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
        className={formCss.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onSubmit();
        }}
      >
        {error !== null && <FailureNotice error={error} />}
        {children}
        <div className={layoutCss.row}>
          <Button kind={kind} type="submit" disabled={!isReady || isPending}>
            {act}
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  );
}

interface LateDialogProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog whose code is loaded when it opens. */
export const LateDialog = ({ onClose, children }: LateDialogProps) => (
  <Late
    frame={(message) => (
      <Dialog title="Not loaded" onClose={onClose}>
        {message}
        <div>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    )}
  >
    {children}
  </Late>
);

/**
 * Whether the component is in a dialog, which shows failed reads itself; elsewhere the page shows them once for all.
 */
export const InDialog = createContext(false);

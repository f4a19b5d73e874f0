import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './dialog.module.css';
import { InDialog } from './in-dialog.ts';

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

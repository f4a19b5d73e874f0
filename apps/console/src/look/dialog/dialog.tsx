import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './dialog.module.css';
import { InDialog } from './in-dialog.ts';

interface DialogProps {
  readonly title: string;
  /** Undefined: it cannot be left without an answer. */
  readonly onClose: (() => void) | undefined;
  readonly children: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus, closes on Escape, and gives the focus back. */
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

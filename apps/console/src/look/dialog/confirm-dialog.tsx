import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import css from '../form/form.module.css';
import { Notice } from '../state/notice.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says: the act, not “OK”. */
  readonly confirm: string;
  readonly action: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What it will do, and whether it can be undone. */
  readonly children: ReactNode;
}

/** Asks once more before something that others feel. */
export function ConfirmDialog({ title, confirm, action, onDone, onClose, children }: ConfirmDialogProps) {
  const act = useMutation({ mutationFn: action, onSuccess: onDone });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {act.error && <Notice tone="bad">{failureOf(act.error).sentence}</Notice>}
      <div className={css.buttons}>
        <Button kind="danger" disabled={act.isPending} onClick={() => act.mutate()}>
          {confirm}
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

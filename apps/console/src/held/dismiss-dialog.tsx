import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { Field, TextArea } from '../look/form/field.tsx';
import { Notice } from '../look/state/notice.tsx';
import css from './held.module.css';

/** Ends a held output without applying it. */
export function DismissDialog({
  heldId,
  onClose,
}: {
  readonly heldId: string;
  readonly onClose: () => void;
}) {
  const [note, setNote] = useState('');
  const dismiss = useMutation({
    mutationFn: () =>
      api.heldOutputs.dismiss.mutate({ held_id: heldId, ...(note.trim() !== '' && { note: note.trim() }) }),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Dismiss the held output" onClose={onClose}>
      {dismiss.error && <Notice tone="bad">{failureOf(dismiss.error).sentence}</Notice>}
      <p>It is not applied, and nobody is told. The request stays as it is.</p>
      <Field label="Why, for the next operator" htmlFor="dismiss-note">
        <TextArea id="dismiss-note" rows={3} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <div className={css.buttons}>
        <Button kind="primary" disabled={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

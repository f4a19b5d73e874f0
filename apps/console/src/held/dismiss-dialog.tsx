import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextArea } from '../look/form/field.tsx';

/** A dialog that dismisses a held output: it is settled and never applied. */
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
    <FormDialog
      title="Dismiss the held output"
      act="Dismiss"
      doing={dismiss}
      onSubmit={() => dismiss.mutate()}
      onClose={onClose}
    >
      <p>It is not applied, and nobody is told. The request stays as it is.</p>
      <Field label="Why, for the next operator" htmlFor="dismiss-note">
        <TextArea id="dismiss-note" rows={3} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog.tsx';
import { Field, TextArea } from '../look/field.tsx';

interface EmergencyDialogProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** A dialog that asks for the reason and begins emergency access. */
export function EmergencyDialog({ sessionId, onClose }: EmergencyDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const begin = useMutation({
    mutationFn: () => api.sessions.breakGlass.mutate({ session_id: sessionId, reason: reason.trim() }),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <FormDialog
      title="Emergency access"
      act="Begin emergency access"
      kind="danger"
      isReady={reason.trim().length >= 10}
      doing={begin}
      onSubmit={() => begin.mutate()}
      onClose={onClose}
    >
      <p>
        For one hour you also act as a verifier, on any account. The reason, and all that you do in that hour,
        stand out in the audit.
      </p>
      <Field label="Why, in at least ten characters" htmlFor="emergency-reason">
        <TextArea
          id="emergency-reason"
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

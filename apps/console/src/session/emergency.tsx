import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextArea } from '../look/form/field.tsx';
import { Notice } from '../look/state/notice.tsx';
import { Time } from '../look/time.tsx';
import type { Me } from './use-me.ts';

const isUnderWay = ({ session }: Me): boolean =>
  session?.emergency_until != null && Date.parse(session.emergency_until) > serverNow();

/** Says for as long as it lasts that the person has emergency access. */
export function EmergencyBanner({ me }: { readonly me: Me }) {
  const until = me.session?.emergency_until;
  if (!isUnderWay(me) || until == null) return null;
  return (
    <Notice tone="bad">
      Emergency access until <Time at={until} />: you also act as a verifier, on any account. The audit marks
      everything that you do.
    </Notice>
  );
}

/** The operator's way to what the role does not give. */
export function EmergencyButton({ me }: { readonly me: Me }) {
  const [asks, setAsks] = useState(false);
  if (!me.roles.includes('operator') || isUnderWay(me)) return null;
  return (
    <>
      <button type="button" onClick={() => setAsks(true)}>
        Emergency …
      </button>
      {asks && <EmergencyDialog sessionId={me.session?.session_id ?? ''} onClose={() => setAsks(false)} />}
    </>
  );
}

interface EmergencyDialogProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

function EmergencyDialog({ sessionId, onClose }: EmergencyDialogProps) {
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

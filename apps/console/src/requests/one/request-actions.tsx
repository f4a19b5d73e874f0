import { CloseReason } from '@insurance-verification/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, type Outputs } from '../../api/api.ts';
import { RedeliverButton } from '../../deliveries/redeliver-button.tsx';
import { Button } from '../../look/button/button.tsx';
import { FormDialog } from '../../look/dialog/form-dialog.tsx';
import css from '../../look/form/form.module.css';
import type { Me } from '../../session/use-me.ts';

interface RequestActionsProps {
  readonly view: Outputs['requests']['view'];
  readonly me: Me | undefined;
}

/** The buttons for a request in its present state. */
export function RequestActions({ view, me }: RequestActionsProps) {
  const queries = useQueryClient();
  const [isClosing, setIsClosing] = useState(false);
  const [, go] = useLocation();
  const { request_id: id, deliveries, state } = view;
  const isErased = view.erased_at !== null;
  const mayCreate = me?.scopes.includes('requests') ?? false;
  const mayClose = mayCreate || (me?.scopes.includes('operate') ?? false);
  const again = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(id) });
  const latest = deliveries.at(-1);
  return (
    <>
      {mayCreate && !isErased && (
        <Button onClick={() => go('/requests/new', { state: { from: id } })}>New from this one</Button>
      )}
      {latest && !isErased && <RedeliverButton requestId={id} delivery={latest} />}
      {state === 'pending' && mayClose && !isErased && (
        <Button onClick={() => setIsClosing(true)}>Close …</Button>
      )}
      {isClosing && (
        <CloseDialog
          requestId={id}
          onClose={() => {
            setIsClosing(false);
            void again();
          }}
        />
      )}
    </>
  );
}

const WHY: Readonly<Record<string, string>> = {
  withdrawn: 'Withdrawn: nobody needs the answer any more',
  expired: 'Expired: it comes too late to be of use',
};

function CloseDialog({ requestId, onClose }: { readonly requestId: string; readonly onClose: () => void }) {
  const close = useMutation({
    mutationFn: (reason: CloseReason) => api.requests.close.mutate({ request_id: requestId, reason }),
    onSuccess: onClose,
  });
  const [reason, setReason] = useState<CloseReason>('withdrawn');
  return (
    <FormDialog
      title="Close the request"
      act="Close the request"
      kind="danger"
      doing={close}
      onSubmit={() => close.mutate(reason)}
      onClose={onClose}
    >
      <p>
        The requester’s callback address gets a webhook at once that it could not be verified, with the
        reason. This cannot be undone.
      </p>
      <fieldset className={css.choices}>
        <legend>Reason</legend>
        {CloseReason.options
          .filter((option) => Object.hasOwn(WHY, option))
          .map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="reason"
                checked={reason === option}
                onChange={() => setReason(option)}
              />
              {WHY[option]}
            </label>
          ))}
      </fieldset>
    </FormDialog>
  );
}

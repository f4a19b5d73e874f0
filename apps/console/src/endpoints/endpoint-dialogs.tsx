import type { EventType } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Secrets } from '../access/secrets.tsx';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { useMe } from '../session/use-me.ts';
import { addressOf, type Endpoint } from './endpoint-words.ts';
import { EventTypes } from './event-types.tsx';

interface OfEndpointProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** A dialog that changes the types of events that an endpoint gets. */
export function TypesDialog({ endpoint, onClose }: OfEndpointProps) {
  const { data: me } = useMe();
  const [types, setTypes] = useState<readonly EventType[]>(endpoint.types);
  const save = useMutation({
    mutationFn: () => api.endpoints.update.mutate({ endpoint_id: endpoint.endpoint_id, types: [...types] }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Change its events"
      act="Save the events"
      isReady={types.length > 0}
      doing={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <EventTypes chosen={types} isOperator={me?.scopes.includes('operate') ?? false} onChange={setTypes} />
    </FormDialog>
  );
}

/** A dialog that ends an endpoint for good. */
export function EndEndpointDialog({
  endpoint,
  onEnded,
  onClose,
}: OfEndpointProps & { readonly onEnded: () => void }) {
  const end = useMutation({
    mutationFn: () => api.endpoints.end.mutate({ endpoint_id: endpoint.endpoint_id }),
    onSuccess: onEnded,
  });
  return (
    <FormDialog
      title="End the endpoint"
      act="End the endpoint"
      kind="danger"
      doing={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        Nothing more is posted to {addressOf(endpoint)}, also not what is still due. This cannot be undone;
        the same address can be added again.
      </p>
    </FormDialog>
  );
}

/** A dialog that makes a new secret for an endpoint, and shows it. */
export function RotateDialog({ endpoint, onClose }: OfEndpointProps) {
  const rotate = useMutation({
    mutationFn: () => api.endpoints.rotate.mutate({ endpoint_id: endpoint.endpoint_id }),
  });
  if (rotate.data)
    return (
      <Dialog title="Copy the secret now" onClose={undefined}>
        <Secrets secret={rotate.data} />
        <div>
          <Button onClick={onClose}>I have it</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Rotate its secret"
      act="Make a new secret"
      kind="danger"
      doing={rotate}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        A new secret signs at once. The one before also signs for 24 hours, so that the receiver can change
        over; until then it cannot be rotated again.
      </p>
    </FormDialog>
  );
}

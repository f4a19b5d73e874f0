import type { EventType } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import accessCss from '../access/access.module.css';
import { api } from '../api/api.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import type { Me } from '../session/use-me.ts';
import { COVERS, USUAL } from './endpoint-words.ts';
import { EventTypes } from './event-types.tsx';

interface AddEndpointDialogProps {
  readonly me: Me;
  /** Called with the id of the new endpoint; null when the dialog was cancelled. */
  readonly onClose: (endpointId: string | null) => void;
}

/** A dialog that adds an endpoint, and shows the secret of its signatures, which is never shown again. */
export function AddEndpointDialog({ me, onClose }: AddEndpointDialogProps) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState<readonly EventType[]>(USUAL);
  const add = useMutation({
    mutationFn: () => api.endpoints.create.mutate({ url: url.trim(), types: [...types] }),
  });
  if (add.data) {
    const { endpoint_id: id, secret, covers } = add.data;
    return (
      <Dialog title="Copy the secret now" onClose={undefined}>
        <p>
          It signs what is posted to this endpoint, and is shown this once. The endpoint gets the events of{' '}
          {COVERS[covers]} from now on.
        </p>
        <p className={accessCss.secret}>
          <code>{secret}</code>
          <CopyButton text={secret} name="the secret" />
        </p>
        <div>
          <Button onClick={() => onClose(id)}>I have it</Button>
        </div>
      </Dialog>
    );
  }
  const isOperator = me.scopes.includes('operate');
  return (
    <FormDialog
      title="Add an endpoint"
      act="Add the endpoint"
      isReady={url.trim() !== '' && types.length > 0}
      doing={add}
      onSubmit={() => add.mutate()}
      onClose={() => onClose(null)}
    >
      <Field
        label="Address"
        htmlFor="endpoint-url"
        hint={
          isOperator && (
            <p>
              Added for {me.session?.account_name}. An operator’s own endpoint gets every account’s events.
            </p>
          )
        }
      >
        <TextInput
          id="endpoint-url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://billing.example/events"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <EventTypes chosen={types} isOperator={isOperator} onChange={setTypes} />
    </FormDialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { Notice } from '../look/state/notice.tsx';
import { makePasskey } from './make-passkey.ts';

interface AddPasskeyDialogProps {
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for a name and adds a passkey of this browser. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => makePasskey(name.trim()),
    onSuccess: (failed) => {
      if (failed === null) onAdded();
    },
  });
  return (
    <FormDialog
      title="Add a passkey"
      act="Add it"
      isReady={name.trim() !== ''}
      doing={make}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      {make.data && <Notice tone="bad">{make.data}</Notice>}
      <p>
        The browser asks for your fingerprint, your face or a PIN. What it keeps never leaves your device, or
        what you share your passwords with.
      </p>
      <Field label="Name" htmlFor="passkey-name">
        <TextInput
          id="passkey-name"
          autoComplete="off"
          placeholder="Laptop at the desk"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

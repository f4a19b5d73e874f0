import { useMutation } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';

export type EndedPasskey = Outputs['passkeys']['list']['items'][number];

interface EndPasskeyDialogProps {
  readonly passkey: EndedPasskey;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for confirmation and removes a passkey. */
export function EndPasskeyDialog({ passkey, onEnded, onClose }: EndPasskeyDialogProps) {
  const end = useMutation({
    mutationFn: () => api.passkeys.end.mutate({ passkey_id: passkey.passkey_id }),
    onSuccess: onEnded,
  });
  return (
    <FormDialog
      title={`Remove ${passkey.name}`}
      act="Remove the passkey"
      kind="danger"
      doing={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>It signs you in no more. Sessions that it began go on; you end them below.</p>
    </FormDialog>
  );
}

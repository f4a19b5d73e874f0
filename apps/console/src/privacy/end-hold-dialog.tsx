import { useMutation } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';

interface EndHoldDialogProps {
  readonly hold: Outputs['holds']['list']['items'][number];
  readonly onClose: () => void;
}

/** A dialog that ends a legal hold. */
export function EndHoldDialog({ hold, onClose }: EndHoldDialogProps) {
  const end = useMutation({
    mutationFn: () => api.holds.end.mutate({ hold_id: hold.hold_id }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="End the legal hold"
      act="End the hold"
      kind="danger"
      doing={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        What it keeps can be erased again: within a day what is past its retention, and whatever somebody asks
        for. It covers {hold.request_id === null ? hold.account_name : <code>{hold.request_id}</code>}.
      </p>
    </FormDialog>
  );
}

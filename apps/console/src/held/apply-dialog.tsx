import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { Notice } from '../look/state/notice.tsx';

interface ApplyDialogProps {
  readonly comparison: Outputs['heldOutputs']['compare'];
  readonly onClose: () => void;
}

/**
 * A dialog that applies a held output. It names the receiver of the result first; where the patient may be another
 * person, it asks to confirm that.
 */
export function ApplyDialog({ comparison, onClose }: ApplyDialogProps) {
  const { held, request, receiver, standing, failed_tests: tests } = comparison;
  const [repeated, setRepeated] = useState('');
  const requestId = request?.request_id ?? '';
  const mismatches = tests.filter(({ test }) => test !== 'sender' && test !== 'first_result');
  const asksAgain = mismatches.length > 0 || requestId !== held.request_id;
  const isSure = !asksAgain || repeated.trim() === requestId.slice(-4);
  const apply = useMutation({
    mutationFn: () => api.heldOutputs.apply.mutate({ held_id: held.held_id, request_id: requestId }),
    onSuccess: onClose,
  });
  if (!receiver)
    return (
      <Dialog title="Apply the held output" onClose={onClose}>
        <p>It names no request. Find the one that it is about, and compare them first.</p>
        <div>
          <Button onClick={onClose}>Find the request</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Apply the held output"
      act="Apply"
      isReady={isSure}
      doing={apply}
      onSubmit={() => apply.mutate()}
      onClose={onClose}
    >
      {mismatches.length > 0 && (
        <Notice tone="warn">
          The patient may be another: {mismatches.map(({ sentence }) => sentence).join(', ')}.
        </Notice>
      )}
      <p>
        It becomes the {standing ? 'corrected result' : 'result'} of <code>{requestId}</code>. A webhook goes
        to <strong>{receiver.account_name}</strong> at <code>{receiver.host}</code> at once. It cannot be
        called back.
      </p>
      {asksAgain && (
        <Field label="The request’s last four characters" htmlFor="apply-again">
          <TextInput
            id="apply-again"
            autoComplete="off"
            spellCheck={false}
            value={repeated}
            onChange={(event) => setRepeated(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}

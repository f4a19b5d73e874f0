import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { Notice } from '../look/notice.tsx';
import css from './held.module.css';

interface ApplyDialogProps {
  readonly held: Outputs['heldOutputs']['get'];
  readonly request: Outputs['requests']['get'] | null;
  readonly onClose: () => void;
}

/** Says who will hear of it before it is applied; where the patient may be another, asks for a second look. */
export function ApplyDialog({ held, request, onClose }: ApplyDialogProps) {
  const [target, setTarget] = useState(held.request_id ?? '');
  const [repeated, setRepeated] = useState('');
  const isOwn = target.trim() === held.request_id;
  const asksAgain = held.reason === 'input_mismatch' || !isOwn;
  const lastFour = target.trim().slice(-4);
  const isSure = target.trim() !== '' && (!asksAgain || repeated.trim() === lastFour);
  const apply = useMutation({
    mutationFn: () => api.heldOutputs.apply.mutate({ held_id: held.held_id, request_id: target.trim() }),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Apply the held output" onClose={onClose}>
      {apply.error && <Notice tone="bad">{failureOf(apply.error).sentence}</Notice>}
      <p>
        It becomes the result of the request.{' '}
        {request && isOwn ? (
          <>
            A webhook goes to <code>{URL.parse(request.input.callback_url)?.host}</code> at once.
          </>
        ) : (
          'A webhook goes to that request’s callback address at once.'
        )}{' '}
        It cannot be called back.
      </p>
      <Field label="Request" htmlFor="apply-to">
        <TextInput
          id="apply-to"
          autoComplete="off"
          spellCheck={false}
          placeholder="req_…"
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
      </Field>
      {asksAgain && (
        <Field label="Its last four characters, since the patient may be another" htmlFor="apply-again">
          <TextInput
            id="apply-again"
            autoComplete="off"
            spellCheck={false}
            value={repeated}
            onChange={(event) => setRepeated(event.target.value)}
          />
        </Field>
      )}
      <div className={css.buttons}>
        <Button kind="primary" disabled={!isSure || apply.isPending} onClick={() => apply.mutate()}>
          Apply
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

import { ErasureReason } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import css from '../look/form/form.module.css';
import { ERASED } from './erasure-words.ts';

/** A dialog that asks for the erasure of a request; another person confirms it. */
export function AskErasureDialog({ onClose }: { readonly onClose: () => void }) {
  const [id, setId] = useState('');
  const [reason, setReason] = useState<ErasureReason>('wrong_patient');
  const ask = useMutation({
    mutationFn: () => api.requests.erase.mutate({ request_id: id.trim(), reason }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Erase a request"
      act="Ask for the erasure"
      kind="danger"
      isReady={id.trim() !== ''}
      doing={ask}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      <p>
        Another person confirms it within 7 days, with the ending of the patient’s member id. Until then
        nothing is erased; then it is done at once, and nothing brings it back.
      </p>
      <Field label="Request id" htmlFor="erase-request">
        <TextInput
          id="erase-request"
          autoComplete="off"
          placeholder="req_…"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
      </Field>
      <fieldset className={css.choices}>
        <legend>Reason</legend>
        {ErasureReason.options.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="erasure-reason"
              checked={reason === option}
              onChange={() => setReason(option)}
            />
            {ERASED[option].word}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { Field, TextArea, TextInput } from '../look/form/field.tsx';
import css from '../look/form/form.module.css';

/** A dialog that places a legal hold on a request or an account. */
export function PlaceHoldDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOfAccount, setIsOfAccount] = useState(false);
  const [id, setId] = useState('');
  const [reason, setReason] = useState('');
  const place = useMutation({
    mutationFn: () =>
      api.holds.place.mutate({
        ...(isOfAccount ? { account_id: id.trim() } : { request_id: id.trim() }),
        reason: reason.trim(),
      }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Place a legal hold"
      act="Place the hold"
      isReady={id.trim() !== '' && reason.trim() !== ''}
      doing={place}
      onSubmit={() => place.mutate()}
      onClose={onClose}
    >
      <fieldset className={css.choices}>
        <legend>It covers</legend>
        <label>
          <input type="radio" name="covers" checked={!isOfAccount} onChange={() => setIsOfAccount(false)} />
          one request
        </label>
        <label>
          <input type="radio" name="covers" checked={isOfAccount} onChange={() => setIsOfAccount(true)} />
          all of an account
        </label>
      </fieldset>
      <Field label={isOfAccount ? 'Account id' : 'Request id'} htmlFor="hold-id">
        <TextInput
          id="hold-id"
          autoComplete="off"
          placeholder={isOfAccount ? 'acct_…' : 'req_…'}
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
      </Field>
      <Field label="Why: the matter, and who asked" htmlFor="hold-reason">
        <TextArea
          id="hold-reason"
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

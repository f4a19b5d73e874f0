import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import { Field, TextArea, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import { Named, ShortId } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import type { Column } from '../look/table.tsx';
import { Time } from '../look/time.tsx';

type Hold = Outputs['holds']['list']['items'][number];

/** The columns of legal holds, with the start or end of each. */
export const holdColumns = (onEnd: (hold: Hold) => void): readonly Column<Hold>[] => [
  {
    head: 'Covers',
    is: 'name',
    cell: ({ request_id: id }) => (id === null ? 'The account' : <ShortId id={id} of="request id" />),
  },
  {
    head: 'Clinic',
    is: 'words',
    cell: ({ account_id: id, account_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Reason',
    is: 'words',
    from: 'middle',
    cell: ({ reason }) => reason ?? 'Erased with its request',
  },
  { head: 'Since', from: 'middle', cell: ({ placed_at: at }) => <Time at={at} /> },
  {
    head: 'By',
    is: 'words',
    from: 'middle',
    cell: ({ placed_by: id, placed_by_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Standing',
    is: 'words',
    cell: (hold) => (
      <span className={css.standing}>
        <span>
          {hold.ended_at === null ? <Mark tone="warn">Stands</Mark> : <Mark tone="quiet">Ended</Mark>}
          {hold.ended_at !== null && (
            <>
              {' '}
              <Time at={hold.ended_at} />
            </>
          )}
        </span>
        {hold.ended_at === null && (
          <Button onClick={() => onEnd(hold)}>
            End …<Unseen> the hold on {hold.request_id ?? hold.account_name}</Unseen>
          </Button>
        )}
      </span>
    ),
  },
];

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
      <fieldset className={formCss.choices}>
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

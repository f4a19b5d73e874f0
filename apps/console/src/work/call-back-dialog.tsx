import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextArea, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import layoutCss from '../look/layout.module.css';
import { Mark } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { readMoment } from '../look/read-moment.ts';
import { useZone } from '../look/time.tsx';
import { PayerTime } from '../requests/call-backs-part.tsx';
import { isOpenAt } from '../words/payer-clock.ts';
import type { WorkItem } from './draft.ts';
import { callBackAt } from './take-work.ts';
import { useOpenTimes } from './use-open-times.ts';

interface CallBackDialogProps {
  readonly requestId: string;
  readonly payer: WorkItem['payer'];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/**
 * Parks the request until the payer is called back: a time as people say it, by the payer's clock where that is known, and
 * Enter.
 */
export function CallBackDialog({ requestId, payer, onClose, onDone }: CallBackDialogProps) {
  const { zone } = useZone();
  const openTimes = useOpenTimes(payer);
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [isOwn, setIsOwn] = useState(true);
  const read = readMoment(typed, serverNow(), payer.time_zone ?? zone);
  const isClosed =
    read.kind === 'moment' && openTimes !== undefined && !isOpenAt(openTimes, Date.parse(read.at));
  const park = useMutation({
    mutationFn: (at: string) => callBackAt(requestId, { at, isOwn, note }),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  const refused = park.error && failureOf(park.error);
  const send = () => {
    if (read.kind === 'moment' && !park.isPending) park.mutate(read.at);
  };
  return (
    <Dialog title="Call back later" onClose={onClose}>
      {park.error && refused?.kind !== 'invalid' && <FailureNotice error={park.error} />}
      <form
        className={formCss.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field
          label="When"
          htmlFor="call-back-at"
          fault={refused?.faults[0]?.msg}
          hint={
            <p className={formCss.understood} role="status">
              {read.kind === 'moment' && <PayerTime at={read.at} timeZone={payer.time_zone} />}
              {read.kind === 'past' && 'This time is over.'}
              {read.kind === 'unreadable' && 'No time yet: 3p, 15:00, 45 min, tomorrow 9a'}
              {isClosed && <Mark tone="warn">{`${payer.name} is closed then`}</Mark>}
            </p>
          }
        >
          <TextInput
            id="call-back-at"
            autoComplete="off"
            placeholder="3p, 45 min, tomorrow 9a"
            invalid={refused?.kind === 'invalid'}
            value={typed}
            onChange={(event) => {
              park.reset();
              setTyped(event.target.value);
            }}
          />
        </Field>
        <Field label="Note for the call" htmlFor="call-back-note">
          <TextArea
            id="call-back-note"
            rows={2}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        <label className={formCss.check}>
          <input type="checkbox" checked={isOwn} onChange={(event) => setIsOwn(event.target.checked)} />
          I call back: for a quarter of an hour only I get it
        </label>
        <div className={layoutCss.row}>
          <Button type="submit" kind="primary" disabled={read.kind !== 'moment' || park.isPending}>
            Call back later
          </Button>
          <Button onClick={onClose}>Continue working</Button>
        </div>
      </form>
    </Dialog>
  );
}

import type { FailureReason } from '@insurance-verification/schema';
import { useState } from 'react';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextArea } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import { reasonsFor } from '../words/reason-words.ts';
import type { WorkItem } from './draft.ts';
import { ReasonField } from './reason-field.tsx';
import { giveUp } from './send-results.ts';
import css from './work.module.css';

interface GiveUpDialogProps {
  readonly requestId: string;
  readonly channel: WorkItem['channel'];
  readonly onClose: () => void;
  /** The failure is in the outbox. */
  readonly onDone: () => void;
}

/** Why this channel could not verify. It is sent after five seconds, as a result is. */
export function GiveUpDialog({ requestId, channel, onClose, onDone }: GiveUpDialogProps) {
  const [chosen, setChosen] = useState<FailureReason | undefined>(reasonsFor(channel)[0]);
  const [note, setNote] = useState('');
  const [final, setFinal] = useState(false);
  const hand = () => {
    if (!chosen || !giveUp(requestId, { reason: chosen, note, final })) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="Could not verify" onClose={onClose}>
      <ReasonField channel={channel} chosen={chosen} onChoose={setChosen} onEnter={hand} />
      <Field label="Note for the next verifier" htmlFor="why-note">
        <TextArea id="why-note" rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <label className={formCss.check}>
        <input type="checkbox" checked={final} onChange={(event) => setFinal(event.target.checked)} />
        No other channel can verify it either: end the request
      </label>
      <div className={css.ways}>
        <Button kind="primary" disabled={!chosen} onClick={hand}>
          Could not verify
        </Button>
        <Button onClick={onClose}>Continue working</Button>
      </div>
    </Dialog>
  );
}

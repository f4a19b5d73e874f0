import { ERROR_REASONS, type FailureReason } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextArea, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import { FailureNotice } from '../look/notice.tsx';
import { reasonsFor } from '../words/reason-words.ts';
import type { WorkItem } from './draft.ts';
import { giveUp } from './take-work.ts';
import css from './work.module.css';

interface GiveUpDialogProps {
  readonly requestId: string;
  readonly channel: WorkItem['channel'];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const WHO: Readonly<Record<string, string>> = {
  patient_data: 'the patient’s data',
  provider: 'the provider',
  payer: 'the payer',
  us: 'us',
};

/** Why this channel could not verify: by typing a few letters of the reason or of its sentence. */
export function GiveUpDialog({ requestId, channel, onClose, onDone }: GiveUpDialogProps) {
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const [note, setNote] = useState('');
  const [final, setFinal] = useState(false);
  const words = sought
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const reasons = reasonsFor(channel).filter((slug) => {
    const text = `${slug} ${ERROR_REASONS[slug].sentence}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const chosen = reasons[Math.min(at, reasons.length - 1)];
  const end = useMutation({
    mutationFn: (reason: FailureReason) => giveUp(requestId, { reason, note, final }),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  const hand = () => {
    if (chosen && !end.isPending) end.mutate(chosen);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(reasons.length - 1, at + step)));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      hand();
    }
  };
  return (
    <Dialog title="Could not verify" onClose={onClose}>
      {end.error && <FailureNotice error={end.error} />}
      <Field label="Why" htmlFor="why">
        <TextInput
          id="why"
          role="combobox"
          aria-expanded="true"
          aria-controls="reasons"
          aria-autocomplete="list"
          aria-activedescendant={chosen && `reason-${chosen}`}
          autoComplete="off"
          placeholder="Type a few letters"
          value={sought}
          onKeyDown={press}
          onChange={(event) => {
            setSought(event.target.value);
            setAt(0);
          }}
        />
      </Field>
      <ul className={css.reasons} id="reasons" role="listbox" aria-label="Reasons" tabIndex={0}>
        {reasons.map((slug, index) => {
          const { sentence, nextChannelMayHelp, fixedBy } = ERROR_REASONS[slug];
          return (
            <li
              key={slug}
              id={`reason-${slug}`}
              role="option"
              aria-selected={slug === chosen}
              ref={(row) => {
                if (slug === chosen) row?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => setAt(index)}
            >
              <strong>{sentence}</strong>
              <span>
                To be fixed by {WHO[fixedBy]} ·{' '}
                {nextChannelMayHelp ? 'another channel may help' : 'no other channel helps'}
              </span>
            </li>
          );
        })}
        {reasons.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true">
            No reason has these letters.
          </li>
        )}
      </ul>
      <Field label="Note for the next verifier" htmlFor="why-note">
        <TextArea id="why-note" rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <label className={formCss.check}>
        <input type="checkbox" checked={final} onChange={(event) => setFinal(event.target.checked)} />
        No other channel can verify it either: end the request
      </label>
      <div className={css.ways}>
        <Button kind="primary" disabled={!chosen || end.isPending} onClick={hand}>
          Could not verify
        </Button>
        <Button onClick={onClose}>Continue working</Button>
      </div>
    </Dialog>
  );
}

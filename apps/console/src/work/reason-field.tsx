import { ERROR_REASONS, type FailureReason } from '@insurance-verification/schema';
import { type KeyboardEvent, useState } from 'react';
import { Field, TextInput } from '../look/field.tsx';
import { reasonsFor } from '../words/reason-words.ts';
import type { WorkItem } from './draft.ts';
import css from './work.module.css';

interface ReasonFieldProps {
  readonly channel: WorkItem['channel'];
  /** Undefined: the first of those that are listed. */
  readonly chosen: FailureReason | undefined;
  /** Undefined where no reason has the letters that are typed. */
  readonly onChoose: (reason: FailureReason | undefined) => void;
  readonly onEnter: () => void;
}

const WHO: Readonly<Record<string, string>> = {
  patient_data: 'the patient’s data',
  provider: 'the provider',
  payer: 'the payer',
  us: 'us',
};

/** Why a channel could not verify: by typing a few letters of the reason or of its sentence. */
export function ReasonField({ channel, chosen, onChoose, onEnter }: ReasonFieldProps) {
  const [sought, setSought] = useState('');
  const reasons = reasonsWith(channel, sought);
  const at = Math.max(0, chosen === undefined ? 0 : reasons.indexOf(chosen));
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onChoose(reasons[Math.max(0, Math.min(reasons.length - 1, at + step))]);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      onEnter();
    }
  };
  return (
    <>
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
            onChoose(reasonsWith(channel, event.target.value)[0]);
          }}
        />
      </Field>
      <ul className={css.reasons} id="reasons" role="listbox" aria-label="Reasons" tabIndex={0}>
        {reasons.map((slug) => {
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
              onClick={() => onChoose(slug)}
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
    </>
  );
}

/** The reasons that have each of the typed words, in their slug or their sentence. */
function reasonsWith(channel: WorkItem['channel'], sought: string): readonly FailureReason[] {
  const words = sought
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  return reasonsFor(channel).filter((slug) => {
    const text = `${slug} ${ERROR_REASONS[slug].sentence}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

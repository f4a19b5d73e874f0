import { DEFAULT_KEYS, type KeyedAction, keysOf, sharesKey } from '@insurance-verification/schema';
import { useState } from 'react';
import css from '../access/access.module.css';
import { useChangeSettings, useSettings } from '../api/settings.ts';
import { Button } from '../look/button.tsx';
import { TextInput } from '../look/field.tsx';
import { Unseen } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import own from './keys-part.module.css';
import { KEYED_ACTIONS } from './use-keys.ts';

const ACTIONS = Object.keys(DEFAULT_KEYS) as KeyedAction[];

/** The settings of the single-letter shortcuts: change one, restore the defaults, or switch them off. */
export function KeysPart() {
  const { keys, letter_keys: lettersOn } = useSettings();
  const change = useChangeSettings();
  const [refused, setRefused] = useState<{ readonly action: KeyedAction; readonly why: string } | null>(null);
  const current = keysOf(keys);
  const set = (action: KeyedAction, key: string) => {
    const why = faultOf(action, key, { ...current, [action]: key });
    setRefused(why === null ? null : { action, why });
    if (why === null) change.mutate({ keys: { ...keys, [action]: key } });
  };
  return (
    <section className={css.part}>
      <h2>Keys</h2>
      {change.error && <FailureNotice error={change.error} />}
      <LetterKeys />
      <div className={own.keys}>
        {ACTIONS.map((action) => (
          <div key={action} className={own.key}>
            <label htmlFor={`key-${action}`}>{KEYED_ACTIONS[action]}</label>
            <TextInput
              id={`key-${action}`}
              autoComplete="off"
              spellCheck={false}
              disabled={!lettersOn}
              invalid={refused?.action === action}
              value={current[action]}
              onFocus={(event) => event.target.select()}
              onChange={(event) => {
                const typed = lastOf(event.target.value, current[action]);
                if (typed !== undefined) set(action, typed);
              }}
            />
            {refused?.action === action && (
              <p id={`key-${action}-fault`} role="alert">
                {refused.why}
              </p>
            )}
          </div>
        ))}
      </div>
      <div>
        <Button
          disabled={Object.keys(keys).length === 0}
          onClick={() => {
            setRefused(null);
            change.mutate({ keys: {} });
          }}
        >
          Default keys
        </Button>
      </div>
      <Unseen role="status">{change.isSuccess ? 'Saved' : ''}</Unseen>
    </section>
  );
}

/** The new character of a field that held one before. */
function lastOf(value: string, standing: string): string | undefined {
  const typed: string[] = value.match(/./gu) ?? [];
  const index = typed.indexOf(standing);
  if (index !== -1 && typed.length > 1) typed.splice(index, 1);
  return typed.at(-1);
}

/** Why a key cannot be assigned to the action; null where it can. */
function faultOf(action: KeyedAction, key: string, keys: Record<KeyedAction, string>): string | null {
  if (/\s/u.test(key)) return 'A space presses buttons, so it cannot be a key.';
  if (/\d/.test(key)) return 'The digits copy what a request asks for.';
  const other = sharesKey(keys, action);
  return other === undefined ? null : `“${key}” is the key of “${KEYED_ACTIONS[other]}”.`;
}

/** Switches the single-letter shortcuts on or off. */
export function LetterKeys() {
  const { letter_keys: lettersOn } = useSettings();
  const change = useChangeSettings();
  return (
    <>
      {change.error && <FailureNotice error={change.error} />}
      <label className={own.choice}>
        <input
          type="checkbox"
          checked={lettersOn}
          onChange={(event) => change.mutate({ letter_keys: event.target.checked })}
        />
        Keys of one letter, outside text fields
      </label>
      <Unseen role="status">{change.isSuccess ? 'Saved' : ''}</Unseen>
    </>
  );
}

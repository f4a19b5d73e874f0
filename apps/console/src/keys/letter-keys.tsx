import { useChangeSettings } from '../api/keep-settings.ts';
import { useSettings } from '../api/settings.ts';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Unseen } from '../look/unseen.tsx';
import css from './letter-keys.module.css';

/** Switches the single-letter shortcuts on or off. */
export function LetterKeys() {
  const { letter_keys: lettersOn } = useSettings();
  const change = useChangeSettings();
  return (
    <>
      {change.error && <FailureNotice error={change.error} />}
      <label className={css.choice}>
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

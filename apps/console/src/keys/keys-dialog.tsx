import { useChangeSettings, useSettings } from '../api/settings.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import formCss from '../look/form.module.css';
import { Unseen } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import css from './keys-dialog.module.css';
import { KEYED_ACTIONS } from './use-keys.ts';

const SHORTCUTS: readonly (readonly [key: string, does: string])[] = [
  ['Ctrl Enter', 'Submit and next'],
  ['Ctrl Shift Enter', 'Submit, and stop there'],
  ['Ctrl K', 'Do what the page can, go to a page, find a request'],
  ['1 … 9', 'Copy the value next to the digit'],
  ...Object.values(KEYED_ACTIONS),
];

/** A dialog that lists the shortcuts, and switches single letters on or off. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={css.keys}>
        {SHORTCUTS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <LetterKeys />
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** Switches the single-letter shortcuts on or off. */
export function LetterKeys() {
  const { letter_keys: lettersOn } = useSettings();
  const change = useChangeSettings();
  return (
    <>
      {change.error && <FailureNotice error={change.error} />}
      <label className={formCss.check}>
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

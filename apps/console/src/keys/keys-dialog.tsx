import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import css from './keys.module.css';
import { setLetterKeys, useLetterKeys } from './use-keys.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['n', 'Next: take the next request'],
  ['Ctrl Enter', 'Submit and next'],
  ['Ctrl Shift Enter', 'Submit, and stop there'],
  ['z', 'Undo, while a result waits to be sent'],
  ['f', 'Could not find out'],
  ['r', 'Give back'],
  ['h', 'On a call, and off it'],
  ['a', 'Apply a held output'],
  ['d', 'Dismiss a held output'],
  ['u', 'Times in UTC, and back'],
  ['?', 'This list'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const lettersOn = useLetterKeys();
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={css.keys}>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={lettersOn}
          onChange={(event) => setLetterKeys(event.target.checked)}
        />
        Keys of one letter, outside text fields
      </label>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

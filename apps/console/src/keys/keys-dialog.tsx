import { type KeyedAction, keysOf } from '@insurance-verification/schema';
import { Link } from 'wouter';
import { useSettings } from '../api/settings.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import css from './keys-dialog.module.css';
import { LetterKeys } from './keys-part.tsx';
import { KEYED_ACTIONS } from './use-keys.ts';

/** The shortcuts that cannot be changed. */
const FIXED: readonly (readonly [string, string])[] = [
  ['Ctrl Enter', 'Submit and next'],
  ['Ctrl Shift Enter', 'Submit, and stop there'],
  ['Ctrl K', 'Go to a page, or to what has an id'],
  ['1 … 9', 'Copy the value beside the digit'],
];

/** A dialog that lists the shortcuts, and says whether single letters are switched on. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { keys } = useSettings();
  const own = Object.entries(keysOf(keys)) as [KeyedAction, string][];
  const rows = [...FIXED, ...own.map(([action, key]) => [key, KEYED_ACTIONS[action]] as const)];
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={css.keys}>
        {rows.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <LetterKeys />
      <p>
        <Link href="/settings" onClick={onClose}>
          Change the keys
        </Link>
      </p>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

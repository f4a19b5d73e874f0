import { type KeyedAction, keysOf } from '@insurance-verification/schema';
import { useEffect, useRef } from 'react';
import { settings, useSettings } from '../api/settings.ts';

/** The shortcuts that cannot be changed: with Ctrl, and the digits, which copy values. */
type FixedKey = `Control+${string}` | `${number}`;

type Actions = Readonly<Partial<Record<KeyedAction | FixedKey, (() => void) | undefined>>>;

/** `n`, `?`, `Control+Enter`, `Control+Shift+Enter`. */
function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  if (!ctrlKey && !metaKey) return key;
  return `Control+${shiftKey ? 'Shift+' : ''}${key}`;
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])');

/** The action of a key: as the person has assigned it, else the key itself. */
function meantBy(name: string): keyof Actions | undefined {
  if (/^(?:\d|Control\+.+)$/.test(name)) return name as FixedKey;
  const own = Object.entries(keysOf(settings().keys)) as [KeyedAction, string][];
  return own.find(([, key]) => key === name)?.[0];
}

/**
 * Handles the shortcuts of a page. Letters and digits work only outside of text fields and while they are not switched
 * off (WCAG 2.1.4); no shortcut works while a dialog is open.
 */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.repeat || event.isComposing) return;
      const name = nameOf(event);
      const meant = meantBy(name);
      const action = meant && latest.current[meant];
      const isLetter = /^.$/u.test(name);
      if (!action || (isLetter && (!settings().letter_keys || isTextField(event.target)))) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** The key of an action, for the label of its button; undefined while letters are switched off. */
export function useKeyOf(): (action: KeyedAction) => string | undefined {
  const { keys, letter_keys: lettersOn } = useSettings();
  const own = keysOf(keys);
  return (action) => (lettersOn ? own[action] : undefined);
}

/** The actions of the single-letter shortcuts, with their labels. */
export const KEYED_ACTIONS: Readonly<Record<KeyedAction, string>> = {
  next: 'Next: take the next request',
  give_up: 'Could not verify',
  give_back: 'Release',
  call: 'On a call, and off it',
  undo: 'Undo, while a result waits to be sent',
  accept: 'Apply a held output',
  decline: 'Dismiss a held output',
  newer: 'The newer held output',
  older: 'The older held output',
  search: 'Search the list',
  utc: 'Times in UTC, and back',
  keys: 'The list of keys',
};

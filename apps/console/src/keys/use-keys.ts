import { useEffect, useRef } from 'react';
import { settings, useSettings } from '../api/settings.ts';

/** The keys of one letter, with what they do in the words of their buttons. */
export const KEYED_ACTIONS = {
  next: ['n', 'Next: take the next request'],
  give_up: ['f', 'Could not verify'],
  give_back: ['r', 'Release'],
  call: ['h', 'On a call, and off it'],
  call_back: ['b', 'Call back later'],
  correct: ['c', 'Correct what you submitted'],
  undo: ['z', 'Undo, while it waits to be sent'],
  accept: ['a', 'Apply a held output'],
  decline: ['d', 'Dismiss a held output'],
  newer: ['k', 'The newer held output'],
  older: ['j', 'The older held output'],
  search: ['/', 'Search the list'],
  utc: ['u', 'Times in UTC, and back'],
  keys: ['?', 'The list of keys'],
} as const;
type KeyedAction = keyof typeof KEYED_ACTIONS;

/** The other shortcuts: with Ctrl, and the digits, which copy values. */
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

const ACTION_OF = new Map<string, KeyedAction>(
  Object.entries(KEYED_ACTIONS).map(([action, [key]]) => [key, action as KeyedAction]),
);

/** The action of a key; a digit or a key with Ctrl is its own. */
const actionOf = (name: string): keyof Actions | undefined =>
  /^(?:\d|Control\+.+)$/.test(name) ? (name as FixedKey) : ACTION_OF.get(name);

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
      const named = actionOf(name);
      const action = named && latest.current[named];
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
  const { letter_keys: lettersOn } = useSettings();
  return (action) => (lettersOn ? KEYED_ACTIONS[action][0] : undefined);
}

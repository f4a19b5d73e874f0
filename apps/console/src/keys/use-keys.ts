import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Kept in this browser: a preference, and nothing of a patient. */
const STORED = 'console.letter-keys';
let lettersOn = localStorage.getItem(STORED) !== 'off';
const listeners = new Set<() => void>();

/** Switches the keys that are one letter on or off (WCAG 2.1.4); those with Ctrl stay. */
export function setLetterKeys(on: boolean): void {
  lettersOn = on;
  localStorage.setItem(STORED, on ? 'on' : 'off');
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useLetterKeys = (): boolean => useSyncExternalStore(subscribe, () => lettersOn);

/** `n`, `?`, `Control+Enter`, `Control+Shift+Enter`. */
function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  if (!ctrlKey && !metaKey) return key;
  return `Control+${shiftKey ? 'Shift+' : ''}${key}`;
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])');

/** What single keys do on this page. Letters work outside text fields alone, and none while a dialog is open. */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.repeat || event.isComposing) return;
      const name = nameOf(event);
      const action = latest.current[name];
      const isLetter = name.length === 1;
      if (!action || (isLetter && (!lettersOn || isTextField(event.target)))) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

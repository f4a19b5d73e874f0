import { useSyncExternalStore } from 'react';

/** Whether the service has refused the session of this page. What is on screen stays; nothing more is read. */
let ended = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export const endSession = (): void => set(true);
export const resumeSession = (): void => set(false);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => ended);

import { useSyncExternalStore } from 'react';
import type { Outputs } from './api.ts';

export type Settings = Outputs['settings']['get'];

/** Until the service has said how this person wants it. */
const UNSAID: Settings = { zone: null, density: 'standard', letter_keys: true, keys: {} };

let current = UNSAID;
const listeners = new Set<() => void>();

/** How the person has set up the console: kept by the service, so that every browser has it. */
export const settings = (): Settings => current;

/** Shows everything as these say; null: as for whoever has changed nothing. */
export function applySettings(next: Settings | null): void {
  current = next ?? UNSAID;
  document.documentElement.dataset['density'] = current.density;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSettings = (): Settings => useSyncExternalStore(subscribe, settings);

import { useSyncExternalStore } from 'react';
import type { Outputs } from './api.ts';

export type Settings = Outputs['settings']['get'];

/** The default settings, in force until the person's own are read. */
const UNSAID: Settings = { zone: null, density: 'standard', letter_keys: true, keys: {} };

let current = UNSAID;
const listeners = new Set<() => void>();

/** The person's settings of the console. The service stores them, so that they are the same in every browser. */
export const settings = (): Settings => current;

/** Applies settings to the page; null applies the defaults. */
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

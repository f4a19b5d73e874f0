import { useSyncExternalStore } from 'react';
import { useSettings } from '../settings/settings.ts';

/** The zone of the person's computer. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the key `u` was pressed: UTC for now, or for whoever has chosen UTC the computer's zone. */
let isTurned = false;
const listeners = new Set<() => void>();

export function toggleUtc(): void {
  isTurned = !isTurned;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

interface ShownZone {
  readonly zone: string;
  /** Whether it was chosen, so that each time says which it is. */
  readonly isNamed: boolean;
}

/** The zone that times are shown in, and typed in. */
export function useZone(): ShownZone {
  const turned = useSyncExternalStore(subscribe, () => isTurned);
  const { zone } = useSettings();
  if (!turned) return { zone: zone ?? LOCAL_ZONE, isNamed: zone !== null };
  return zone === 'UTC' ? { zone: LOCAL_ZONE, isNamed: false } : { zone: 'UTC', isNamed: true };
}

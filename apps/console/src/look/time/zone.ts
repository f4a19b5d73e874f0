import { useSyncExternalStore } from 'react';
import { settings, useSettings } from '../../api/settings.ts';

/** The zone of the person's computer. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone that an address names, so that who gets its link sees the same times; null without one. */
function zoneIn(search: string): string | null {
  const named = new URLSearchParams(search).get('zone');
  try {
    return named === null
      ? null
      : new Intl.DateTimeFormat('en-US', { timeZone: named }).resolvedOptions().timeZone;
  } catch {
    return null; // no zone has this name
  }
}

/** What the address names, or the key `u` turned to; null: as the person has set it up. */
let turned = zoneIn(location.search);
const listeners = new Set<() => void>();

/** UTC for now, or for whoever has chosen UTC the computer's zone; and back. */
export function toggleUtc(): void {
  if (turned !== null) turned = null;
  else turned = settings().zone === 'UTC' ? LOCAL_ZONE : 'UTC';
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What the address of every page says while the zone is another than the person's own. */
export const useTurnedZone = (): string | null => useSyncExternalStore(subscribe, () => turned);

interface ShownZone {
  readonly zone: string;
  /** Whether it was chosen, so that each time says which it is. */
  readonly isNamed: boolean;
}

/** The zone that times are shown in, and typed in. */
export function useZone(): ShownZone {
  const named = useTurnedZone();
  const { zone } = useSettings();
  return { zone: named ?? zone ?? LOCAL_ZONE, isNamed: named !== null || zone !== null };
}

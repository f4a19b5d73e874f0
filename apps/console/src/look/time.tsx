import { useSyncExternalStore } from 'react';
import { settings, useSettings } from '../api/settings.ts';
import { exactTime, timeIn } from './clock.ts';

/** Date and time to the minute, and to the second on pointing; with the year where it is not the present one. */
export function Time({ at }: { readonly at: string }) {
  const { zone, isNamed } = useZone();
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return (
    <time dateTime={at} title={exactTime(at, zone)}>
      {timeIn(at, zone, {
        ...(!isThisYear && { year: 'numeric' }),
        ...(isNamed && { timeZoneName: 'short' }),
      })}
    </time>
  );
}

/** A duration in its largest unit: `42 s`, `12 min`, `3.5 h`, `4 d`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Number((seconds / 3_600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Minutes and seconds of a countdown: `1:04`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The time zone of this computer. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in the query string of an address, so that a link shows the same times to everybody; null without one. */
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

/** The zone of the address, or the one that the key `u` chose; null: that of the settings. */
let turned = zoneIn(location.search);
const listeners = new Set<() => void>();

/** Switches to UTC, or from a setting of UTC to the zone of this computer, and back. */
export function toggleUtc(): void {
  if (turned !== null) turned = null;
  else turned = settings().zone === 'UTC' ? LOCAL_ZONE : 'UTC';
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const turnedZone = (): string | null => turned;

/** The zone for the address of every page; null while it is that of the settings. */
export const useTurnedZone = (): string | null => useSyncExternalStore(subscribe, turnedZone, turnedZone);

interface ShownZone {
  readonly zone: string;
  /** Whether it was chosen by the address, the key or the settings; each time is then shown with its zone. */
  readonly isNamed: boolean;
}

/** The zone in which times are shown and typed. */
export function useZone(): ShownZone {
  const named = useTurnedZone();
  const { zone } = useSettings();
  return { zone: named ?? zone ?? LOCAL_ZONE, isNamed: named !== null || zone !== null };
}

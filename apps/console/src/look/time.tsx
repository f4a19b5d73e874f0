import { useSyncExternalStore } from 'react';

/** Whether times are shown in UTC; otherwise in the zone of the person's computer. The key `u` changes it. */
let inUtc = false;
const listeners = new Set<() => void>();

export function toggleUtc(): void {
  inUtc = !inUtc;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useUtc = (): boolean => useSyncExternalStore(subscribe, () => inUtc);

const formats = (timeZone: string | undefined) => {
  const zone = timeZone === undefined ? {} : { timeZone };
  return {
    day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...zone }),
    year: new Intl.DateTimeFormat('en-US', { year: 'numeric', ...zone }),
    clock: new Intl.DateTimeFormat('en-US', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      ...zone,
    }),
  };
};
const local = formats(undefined);
const utc = formats('UTC');

/** A time of day with its date, to the second; the year where it is another one. */
export function Time({ at }: { readonly at: string }) {
  const isUtc = useUtc();
  const { day, year, clock } = isUtc ? utc : local;
  const date = new Date(at);
  const isThisYear = year.format(date) === year.format(new Date());
  return (
    <time dateTime={at} title={at}>
      {day.format(date)}
      {isThisYear ? '' : ` ${year.format(date)}`} {clock.format(date)}
      {isUtc && ' UTC'}
    </time>
  );
}

/** How long, in the largest unit that says it: `42 s`, `12 min`, `3.5 h`, `4 d`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Number((seconds / 3_600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** `1m 04s`, for a countdown. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

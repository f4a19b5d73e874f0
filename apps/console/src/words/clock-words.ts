import { plain, timeIn } from '../look/clock.ts';

/** The time of a day by the clock of a zone: `3:02 PM`. */
export const clockIn = (ms: number, zone: string): string =>
  plain(new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(ms));

/** A time to the minute, with its year: `Nov 29, 2026, 3:02 PM`, as it is typed too. */
export const datedTime = (at: string, zone: string): string => timeIn(at, zone, { year: 'numeric' });

import { clockIn } from './clock-words.ts';

/** A time in which a payer's phone is answered, as the wire has it. */
interface OpenTime {
  readonly from: string;
  readonly until: string;
}

/** The name that people give a zone: `Eastern`. */
function zoneName(zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longGeneric',
  }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return name.replace(/ (Standard )?Time$/, '');
}

/** The day of a time in a zone, where it is another than that of now: `Mon, Nov 2`; else null. */
function otherDay(ms: number, zone: string, now: number): string | null {
  const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
  if (dayOf(ms) === dayOf(now)) return null;
  const day = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', { timeZone: zone, ...day }).format(ms);
}

/** When something is by the clock of a zone: `at 8:00 AM`, and with the day where that is not today. */
function whenIn(ms: number, zone: string, now: number): string {
  const day = otherDay(ms, zone, now);
  return `${day === null ? '' : `on ${day} `}at ${clockIn(ms, zone)}`;
}

/** When a payer's phone is answered again, by the clock of its zone: `opens at 8:00 AM Central`. */
export function opensWords(opensAt: string, timeZone: string | null, now = Date.now()): string {
  const zone = timeZone ?? 'UTC';
  return `opens ${whenIn(Date.parse(opensAt), zone, now)} ${zoneName(zone)}`;
}

/**
 * What time it is at a payer, and until when its phone is answered: `There it is 10:40 AM Eastern, open until 8:00 PM`.
 * @param openTimes in order; the first may have begun.
 */
export function hoursWords(openTimes: readonly OpenTime[], zone: string, now: number): string {
  const next = openTimes.find(({ until }) => Date.parse(until) > now);
  const there = `There it is ${clockIn(now, zone)} ${zoneName(zone)}`;
  if (!next) return `${there}, closed for the next two weeks`;
  if (Date.parse(next.from) > now)
    return `${there}, closed, opens ${whenIn(Date.parse(next.from), zone, now)}`;
  return `${there}, open until ${clockIn(Date.parse(next.until), zone)}`;
}

/** Whether a payer's phone is answered at a time. */
export const isOpenAt = (openTimes: readonly OpenTime[], at: number): boolean =>
  openTimes.some(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));

/**
 * A time as a payer said it, and by one's own clock: `3:00 PM Eastern, 2:00 PM here`, with the payer's day where that is not
 * today.
 */
export function bothClocks(at: number, theirZone: string, zone: string, now: number): string {
  const day = otherDay(at, theirZone, now);
  const [there, here] = [clockIn(at, theirZone), clockIn(at, zone)];
  const theirs = `${day === null ? '' : `${day}, `}${there} ${zoneName(theirZone)}`;
  return there === here ? theirs : `${theirs}, ${here} here`;
}

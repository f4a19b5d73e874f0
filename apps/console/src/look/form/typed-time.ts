/** What a clock in the zone shows, as if it were UTC, in milliseconds. */
function wallOf(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const day = `${of('year')}-${of('month')}-${of('day')}`;
  return Date.parse(`${day}T${of('hour')}:${of('minute')}:${of('second')}Z`);
}

/** An instant as a field for a day and a time shows it, in a zone; empty for none. */
export function toTyped(instant: string, zone: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? '' : new Date(wallOf(ms, zone)).toISOString().slice(0, 16);
}

/**
 * The instant that is meant by what such a field holds; empty for none. Of an hour that the clock shows twice, it is the
 * later one; of one that it skips, the hour after.
 */
export function fromTyped(typed: string, zone: string): string {
  const wall = Date.parse(`${typed}Z`);
  if (Number.isNaN(wall)) return '';
  const offsetAt = (ms: number) => wallOf(ms, zone) - ms;
  const near = wall - offsetAt(wall);
  return new Date(wall - offsetAt(near)).toISOString();
}

/** When the day began that a clock in the zone shows. */
export function dayBegan(ms: number, zone: string): string {
  const day = new Date(wallOf(ms, zone)).toISOString().slice(0, 10);
  return fromTyped(`${day}T00:00`, zone);
}

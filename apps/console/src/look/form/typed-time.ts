/** The local time of the zone, as milliseconds since 1970 as if it were UTC. */
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

/** An instant as the value of a `datetime-local` field in a zone; empty without one. */
export function toTyped(instant: string, zone: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? '' : new Date(wallOf(ms, zone)).toISOString().slice(0, 16);
}

/**
 * The instant of such a field's value in a zone; empty without one. An hour that the clock shows twice means the later
 * one; one that it skips means the hour after.
 */
export function fromTyped(typed: string, zone: string): string {
  const wall = Date.parse(`${typed}Z`);
  if (Number.isNaN(wall)) return '';
  const offsetAt = (ms: number) => wallOf(ms, zone) - ms;
  const near = wall - offsetAt(wall);
  return new Date(wall - offsetAt(near)).toISOString();
}

/** The begin of the present day in a zone. */
export function dayBegan(ms: number, zone: string): string {
  const day = new Date(wallOf(ms, zone)).toISOString().slice(0, 10);
  return fromTyped(`${day}T00:00`, zone);
}

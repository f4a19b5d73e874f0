const formats = new Map<string, Intl.DateTimeFormat>();

/** Browsers put a space of another width before AM and PM. */
export const plain = (text: string): string => text.replaceAll('\u202F', ' ');

/** A time to the minute in a zone, `Nov 29, 3:02 PM`, with more parts of it where they are asked for. */
export function timeIn(at: string, zone: string, more: Intl.DateTimeFormatOptions = {}): string {
  const key = [zone, ...Object.keys(more)].join();
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone,
      ...more,
    });
  formats.set(key, format);
  return plain(format.format(new Date(at)));
}

/** A time to the second, with its year and zone: `Nov 29, 2026, 3:02:14 PM CST`. */
export const exactTime = (at: string, zone: string): string =>
  timeIn(at, zone, { year: 'numeric', second: '2-digit', timeZoneName: 'short' });

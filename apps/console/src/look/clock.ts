const formatsOf = new Map<string, ReturnType<typeof createFormats>>();

function createFormats(timeZone: string) {
  const day = { month: 'short', day: 'numeric', timeZone } as const;
  const clock = { hour: 'numeric', minute: '2-digit', timeZone } as const;
  return {
    day: new Intl.DateTimeFormat('en-US', day),
    datedDay: new Intl.DateTimeFormat('en-US', { ...day, year: 'numeric' }),
    clock: new Intl.DateTimeFormat('en-US', clock),
    namedClock: new Intl.DateTimeFormat('en-US', { ...clock, timeZoneName: 'short' }),
    exactClock: new Intl.DateTimeFormat('en-US', { ...clock, second: '2-digit', timeZoneName: 'short' }),
  };
}

/** The formats of times in a zone. */
export function formatsIn(zone: string): ReturnType<typeof createFormats> {
  const known = formatsOf.get(zone) ?? createFormats(zone);
  formatsOf.set(zone, known);
  return known;
}

/** Browsers put a space of another width before AM and PM. */
export const plain = (text: string): string => text.replaceAll('\u202F', ' ');

/** The time of a day by the clock of a zone: `3:02 PM`. */
export const clockIn = (ms: number, zone: string): string => plain(formatsIn(zone).clock.format(ms));

/** A time to the minute, with its year: `Nov 29, 2026, 3:02 PM`, as it is typed too. */
export function datedTime(at: string, zone: string): string {
  const { datedDay } = formatsIn(zone);
  return `${datedDay.format(new Date(at))}, ${clockIn(Date.parse(at), zone)}`;
}

/** A time to the second, with its year and zone: `Nov 29, 2026, 3:02:14 PM CST`. */
export function exactTime(at: string, zone: string): string {
  const { datedDay, exactClock } = formatsIn(zone);
  return plain(`${datedDay.format(new Date(at))}, ${exactClock.format(new Date(at))}`);
}

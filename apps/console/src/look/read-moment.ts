import { fromTyped, readDate, toTyped } from './read-date.ts';

/** What a person meant by what they typed into a field for a time to come. */
export type MomentReading =
  | { readonly kind: 'none' | 'unreadable' | 'past' }
  /** An instant, as the wire has it. */
  | { readonly kind: 'moment'; readonly at: string };

const MINUTES = /^(\d{1,3}) ?(m|min|h|hr|hours?)$/;
const CLOCK = /^(?:(.*?) )?(\d{1,2})(?::(\d\d))? ?(am?|pm?)?$/;

/**
 * Reads a time to come as people say it: `3p`, `3:30 pm`, `15:00`, `45 min`, `2h`, `tomorrow 9a`, `12/1 10am`. An hour
 * without minutes is read only with `am` or `pm`. A time without a day is the next one of the zone's clock.
 * @param now in milliseconds
 */
export function readMoment(text: string, now: number, zone: string): MomentReading {
  const typed = text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('.', '');
  if (typed === '') return { kind: 'none' };
  const length = MINUTES.exec(typed);
  if (length) {
    const minutes = Number(length[1]) * (length[2]?.startsWith('h') ? 60 : 1);
    return minutes > 0
      ? { kind: 'moment', at: new Date(now + minutes * 60_000).toISOString() }
      : { kind: 'past' };
  }
  const [, said = '', hours = '', minutes, half] = CLOCK.exec(typed) ?? [];
  const time = timeOf(hours, minutes, half);
  const today = toTyped(new Date(now).toISOString(), zone).slice(0, 10);
  const day = said === '' ? today : dayOf(said, today);
  if (time === null || day === null) return { kind: 'unreadable' };
  const at = fromTyped(`${day}T${time}`, zone);
  if (Date.parse(at) > now) return { kind: 'moment', at };
  if (said !== '') return { kind: 'past' };
  return { kind: 'moment', at: fromTyped(`${dayAfter(today)}T${time}`, zone) };
}

/**
 * Reads a time that was or will be as people type it: `Nov 29, 2026, 3:02 PM`, `11/29 3p`, `yesterday`, `9:30`. A day without
 * a time is its begin, a time without a day is today's.
 * @param now in milliseconds
 * @returns an instant; null for none.
 */
export function readInstant(text: string, now: number, zone: string): string | null {
  const typed = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[,\s]+/g, ' ')
    .replace(/(\d)t(\d)/, '$1 $2');
  const today = toTyped(new Date(now).toISOString(), zone).slice(0, 10);
  const [, said = '', hours = '', minutes, half] = CLOCK.exec(typed) ?? [];
  const time = timeOf(hours, minutes, half);
  const day = time === null ? dayOf(typed, today) : said === '' ? today : dayOf(said, today);
  return day === null ? null : fromTyped(`${day}T${time ?? '00:00'}`, zone);
}

/** `HH:MM`; null for no time of a day. Without a half of the day the minutes are needed: 3 may be either. */
function timeOf(hours: string, minutes?: string, half?: string): string | null {
  const hour = Number(hours);
  if (hours === '' || Number(minutes ?? 0) > 59) return null;
  if (half === undefined)
    return minutes !== undefined && hour < 24 ? `${hours.padStart(2, '0')}:${minutes}` : null;
  if (hour < 1 || hour > 12) return null;
  return `${String((hour % 12) + (half.startsWith('p') ? 12 : 0)).padStart(2, '0')}:${minutes ?? '00'}`;
}

const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The day that a text says; null for one that is unclear. Without a year it is of this one. */
function dayOf(said: string, today: string): string | null {
  if (said === 'today') return today;
  if (said === 'tomorrow' || said === 'tmr') return dayAfter(today);
  if (said === 'yesterday') return dayAfter(today, -1);
  const year = today.slice(0, 4);
  const whole = /^\d{1,2}\/\d{1,2}$/.test(said)
    ? `${said}/${year}`
    : /^[a-z]{3,9}\.? \d{1,2}$/.test(said)
      ? `${said} ${year}`
      : said;
  const read = readDate(whole, new Date(`${today}T12:00:00`));
  return read.kind === 'day' ? read.day : null;
}

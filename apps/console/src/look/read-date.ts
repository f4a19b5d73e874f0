import { serverNow } from '../api/server-time.ts';

/** What a person meant by what they typed into a field for a day. */
type DateReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'day'; readonly day: string }
  /** It can be either: the person is asked, never guessed for. */
  | { readonly kind: 'ambiguous'; readonly days: readonly [string, string] }
  | { readonly kind: 'unreadable' };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Two digits mean the century that puts the year at most this far ahead: coverage ends within it, and began before. */
const YEARS_AHEAD = 20;

/**
 * Reads a day as people type it off a portal or a card: `5/17/84`, `2026-01-01`, `20260101`, `01012026`, `Jan 1 2026`,
 * `1 Jan 26`, `today`. Of two numbers before a year either may be the month, so `5/6/84` is two days; `5/17/84` and
 * `1/1/26` are one.
 * @param isBirth whether it is the day of a birth, which has been.
 */
export function readDate(text: string, today: Date, isBirth = false): DateReading {
  // Full-width digits, as keyboards for Chinese and Japanese type them, are digits.
  const typed = text.normalize('NFKC').trim().toLowerCase().replaceAll(',', ' ').replaceAll(/\s+/g, ' ');
  if (typed === '') return { kind: 'none' };
  const now = dayOf(today.getFullYear(), today.getMonth() + 1, today.getDate()) ?? '';
  if (typed === 'today') return { kind: 'day', day: now };
  const day = (year = '', month = '', dayOfMonth = '') => {
    const inYear = (full: number) => dayOf(full, Number(month), Number(dayOfMonth));
    const full = fullYear(year, today);
    const read = inYear(full);
    if (!isBirth || read === null || read <= now) return read;
    return year.length === 2 ? inYear(full - 100) : null;
  };

  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed) ?? /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(typed);
  if (iso) return reading(day(iso[1], iso[2], iso[3]));
  const numbers =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2}|\d{4})$/.exec(typed) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(typed);
  if (numbers) {
    const [, first, second, year] = numbers;
    return reading(day(year, first, second), day(year, second, first));
  }
  const named = /^([a-z]{3,9})\.? (\d{1,2}) (\d{2}|\d{4})$/.exec(typed);
  if (named) return reading(day(named[3], monthOf(named[1]), named[2]));
  const dayFirst = /^(\d{1,2}) ([a-z]{3,9})\.? (\d{2}|\d{4})$/.exec(typed);
  if (dayFirst) return reading(day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]));
  return { kind: 'unreadable' };
}

/** `May 17, 1984`: the month in letters, so that it is not taken for the day. */
export function dayInWords(isoDay: string): string {
  const date = new Date(`${isoDay}T00:00:00Z`);
  return date.toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}

/** `05/17/1984`, as portals and people on the phone here want it; what is no such day stays as it came. */
export function dayForPayer(text: string): string {
  return text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1');
}

function reading(one: string | null, other: string | null = null): DateReading {
  if (one !== null && other !== null && one !== other) return { kind: 'ambiguous', days: [one, other] };
  const only = one ?? other;
  return only === null ? { kind: 'unreadable' } : { kind: 'day', day: only };
}

const monthOf = (name = ''): string => String(MONTHS.indexOf(name.slice(0, 3)) + 1);

function fullYear(text: string, today: Date): number {
  if (text.length === 4) return Number(text);
  const century = Math.floor(today.getFullYear() / 100) * 100;
  const year = century + Number(text);
  return year > today.getFullYear() + YEARS_AHEAD ? year - 100 : year;
}

/** The day in the wire's form; null for one that no calendar has, or no coverage. */
function dayOf(year: number, month: number, dayOfMonth: number): string | null {
  if (year < 1900 || year > 2199) return null;
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== dayOfMonth) return null;
  return date.toISOString().slice(0, 10);
}

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

/** The age filters of lists: key, label, seconds; negative for older than. */
const AGES = [
  ['under-1h', 'The last hour', 3_600],
  ['under-1d', 'The last day', 86_400],
  ['under-7d', 'The last 7 days', 7 * 86_400],
  ['over-1h', 'Older than an hour', -3_600],
  ['over-1d', 'Older than a day', -86_400],
] as const;

export const AGE_CHOICES = AGES.map(([key, word]) => [key, word] as const);

interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The time span of an age filter and exact times; an exact time takes precedence over the age. */
export function spanOf(age: string | undefined, { since, until }: Span, now = serverNow()): Span {
  const seconds = AGES.find(([key]) => key === age)?.[2];
  if (seconds === undefined) return { since, until };
  // To the minute: a list that is read again is the same list.
  const edge = new Date(Math.floor((now - Math.abs(seconds) * 1_000) / 60_000) * 60_000).toISOString();
  return seconds > 0 ? { since: since ?? edge, until } : { since, until: until ?? edge };
}

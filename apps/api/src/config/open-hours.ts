import type { OpenHours } from '@insurance-verification/store';
import { Temporal } from 'temporal-polyfill';

/** Days of the week, as the payers file names them. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A payer's hours, as its entry in the payers file gives them. */
export interface FiledHours {
  readonly time_zone: string;
  /** By a day or a span of days: `{"mon-fri": ["08:00-18:00"]}`. */
  readonly hours: Readonly<Record<string, readonly string[]>>;
  /** `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
}

/** A span in which the payer is open, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** Days that are looked at for an open one: more than the longest run of holidays. */
const DAYS_MAX = 400;

/**
 * When a payer is open. Its hours are read by the clock of its zone: on the day that the clock changes, 8:00 is still 8:00.
 * @throws {TypeError} for a span that ends before it begins, spans of a day that overlap, a day that is named twice, and
 * hours without any span.
 */
export function createOpenHours({ time_zone: timeZone, hours, holidays }: FiledHours): OpenHours {
  const spansByWeekday = readWeek(hours);
  const closed = new Set(holidays);
  const spansOf = cached((day: string): readonly Span[] => {
    if (closed.has(day)) return [];
    const date = Temporal.PlainDate.from(day);
    return (spansByWeekday[date.dayOfWeek - 1] ?? []).map(([from, until]) => ({
      from: msAt(date, from, timeZone),
      until: msAt(date, until, timeZone),
    }));
  });
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();

  /** The spans that end after a time, or begin before it, nearest first. */
  function* spansFrom(ms: number, step: 1 | -1): Generator<Span> {
    let day = dayOf(ms);
    for (let count = 0; count < DAYS_MAX; count += 1, day = day.add({ days: step })) {
      const spans = spansOf(day.toString());
      yield* (step === 1 ? spans : spans.toReversed()).filter(({ from, until }) =>
        step === 1 ? until > ms : from < ms,
      );
    }
  }

  /** Milliseconds from a time, in one direction, until it was open for so long; a day for each that is not known. */
  function distance(ms: number, openMs: number, step: 1 | -1): number {
    let left = openMs;
    let end = ms;
    for (const { from, until } of spansFrom(ms, step)) {
      const open = step === 1 ? until - Math.max(from, ms) : Math.min(until, ms) - from;
      end = step === 1 ? until : from;
      if (open >= left) return step * (end - step * (open - left) - ms);
      left -= open;
    }
    return step * (end - ms) + left;
  }

  let latest: { readonly since: number; readonly span: Span } | undefined;
  /** The span at a time, or else the next one. Kept until it ends: a claim asks for each of its queues. */
  const spanAt = (ms: number): Span | undefined => {
    if (latest && ms >= latest.since && ms < latest.span.until) return latest.span;
    const span = spansFrom(ms, 1).next().value ?? undefined;
    latest = span && { since: ms, span };
    return span;
  };
  return {
    timeZone,
    openTimes: (from, until) => {
      const times = [];
      for (const span of spansFrom(from.getTime(), 1)) {
        if (span.from >= until.getTime()) break;
        times.push({ from: new Date(span.from), until: new Date(span.until) });
      }
      return times;
    },
    openedAt: (at) => {
      const span = spanAt(at.getTime());
      return span && span.from <= at.getTime() ? new Date(span.from) : null;
    },
    opensAt: (at) => {
      const span = spanAt(at.getTime());
      return span && span.from > at.getTime() ? new Date(span.from) : null;
    },
    openSeconds: (from, until) => {
      let ms = 0;
      for (const span of spansFrom(from.getTime(), 1)) {
        if (span.from >= until.getTime()) break;
        ms += Math.min(span.until, until.getTime()) - Math.max(span.from, from.getTime());
      }
      return ms / 1_000;
    },
    secondsAhead: (at, openSeconds) => distance(at.getTime(), openSeconds * 1_000, 1) / 1_000,
    secondsBack: (at, openSeconds) => distance(at.getTime(), openSeconds * 1_000, -1) / 1_000,
  };
}

/** How many minutes of a week it is open, without holidays. */
export function openMinutesAWeek(hours: FiledHours['hours']): number {
  const minutesOf = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
  return readWeek(hours)
    .flat()
    .reduce((sum, [from, until]) => sum + minutesOf(until) - minutesOf(from), 0);
}

/** A time of day and the one that it lasts until, `HH:MM`. */
type TimeSpan = readonly [string, string];

function readWeek(hours: FiledHours['hours']): TimeSpan[][] {
  const week: TimeSpan[][] = WEEKDAYS.map(() => []);
  for (const [days, texts] of Object.entries(hours))
    for (const index of indexesOf(days)) {
      if ((week[index]?.length ?? 0) > 0) throw new TypeError(`hours name ${WEEKDAYS[index]} twice.`);
      const spans = texts.map((text) => text.split('-') as unknown as TimeSpan).toSorted();
      for (const [place, [from, until]] of spans.entries()) {
        if (until <= from) throw new TypeError(`hours of ${days}: ${from}-${until} ends before it begins.`);
        if (from < (spans[place - 1]?.[1] ?? '')) throw new TypeError(`hours of ${days} overlap.`);
      }
      week[index] = spans;
    }
  if (week.every((spans) => spans.length === 0))
    throw new TypeError('hours name no time at which it is open.');
  return week;
}

/** `mon` is one day, `mon-fri` five. */
function indexesOf(days: string): number[] {
  const [first = '', last = first] = days.split('-');
  const from = WEEKDAYS.indexOf(first as never);
  const until = WEEKDAYS.indexOf(last as never);
  if (until < from) throw new TypeError(`hours: ${days} ends before it begins.`);
  return Array.from({ length: until - from + 1 }, (_, index) => from + index);
}

/** A time that the clock skips is as late as it would have been; of one that comes twice it is the first. */
function msAt(date: Temporal.PlainDate, time: string, timeZone: string): number {
  if (time === '24:00') return msAt(date.add({ days: 1 }), '00:00', timeZone);
  return date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
}

/** Remembers what a day has, for some weeks of days. */
function cached<T>(read: (day: string) => T): (day: string) => T {
  const known = new Map<string, T>();
  return (day) => {
    const had = known.get(day);
    if (had !== undefined) return had;
    const value = read(day);
    if (known.size > DAYS_MAX) known.clear();
    known.set(day, value);
    return value;
  };
}

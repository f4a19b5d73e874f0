import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOpenHours, openMinutesAWeek } from './open-hours.ts';

const WEEK = { 'mon-fri': ['08:00-18:00'], sat: ['09:00-12:00'] };
const central = createOpenHours({
  time_zone: 'America/Chicago',
  hours: WEEK,
  holidays: ['2026-11-26', '2026-12-25'],
});
const opens = (text: string) => central.opensAt(new Date(text))?.toISOString() ?? null;

describe('it opens by the clock of its zone', () => {
  test.each([
    ['an ordinary morning', '2026-11-24T13:00:00Z', '2026-11-24T14:00:00.000Z'],
    ['an ordinary evening', '2026-11-25T00:00:00Z', '2026-11-25T14:00:00.000Z'],
    ['the evening before a holiday: the day after it', '2026-11-26T03:00:00Z', '2026-11-27T14:00:00.000Z'],
    ['the weekend when the clock goes back', '2026-10-31T20:00:00Z', '2026-11-02T14:00:00.000Z'],
    ['the weekend when the clock goes ahead', '2026-03-07T20:00:00Z', '2026-03-09T13:00:00.000Z'],
    ['the minute before', '2026-11-24T13:59:59.999Z', '2026-11-24T14:00:00.000Z'],
  ])('%s', (_, at, expected) => expect(opens(at)).toBe(expected));

  test('while it is open it opens at no time, and closes with the minute', () => {
    expect(opens('2026-11-24T14:00:00Z')).toBe(null);
    expect(central.openedAt(new Date('2026-11-24T23:59:59Z'))?.toISOString()).toBe(
      '2026-11-24T14:00:00.000Z',
    );
    expect(opens('2026-11-25T00:00:00Z')).not.toBe(null);
    expect(central.openedAt(new Date('2026-11-25T00:00:00Z'))).toBe(null);
  });
});

const zones = [
  'America/Chicago',
  'America/New_York',
  'America/Phoenix',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
];

/** Times around both changes of the clock of two years, a holiday, and days that have neither. */
const instant = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2026-12-25', '2026-06-10'),
    fc.integer({ min: -2_880, max: 2_880 }),
  )
  .map(([day, minutes]) => new Date(Date.parse(`${day}T08:00:00Z`) + 60_000 * minutes));

const hours = fc
  .record({
    zone: fc.constantFrom(...zones),
    from: fc.integer({ min: 0, max: 22 }),
    length: fc.integer({ min: 1, max: 23 }),
    isSevenDays: fc.boolean(),
  })
  .map(({ zone, from, length, isSevenDays }) => {
    const text = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
    const span = `${text(from)}-${text(Math.min(from + length, 24))}`;
    return {
      zone,
      from,
      isSevenDays,
      open: createOpenHours({
        time_zone: zone,
        hours: { [isSevenDays ? 'mon-sun' : 'mon-fri']: [span] },
        holidays: ['2026-12-25'],
      }),
    };
  });

const clockIn = (zone: string, at: Date) =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
      weekday: 'short',
      month: '2-digit',
      day: '2-digit',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );

test('it is open or says when it opens, and then the clock of its zone shows that', () => {
  fc.assert(
    fc.property(hours, instant, ({ open, zone, from, isSevenDays }, at) => {
      const opensAt = open.opensAt(at);
      expect(open.openedAt(at) === null).toBe(opensAt !== null);
      if (!opensAt) return;
      const clock = clockIn(zone, opensAt);
      // The clock may skip the hour itself.
      expect([from, from + 1]).toContain(Number(clock['hour']));
      expect(`${clock['month']}-${clock['day']}`).not.toBe('12-25');
      if (!isSevenDays) expect(['Sat', 'Sun']).not.toContain(clock['weekday']);
    }),
    { numRuns: 300 },
  );
});

test('so many open seconds lie within what passes ahead of a time and back from it', () => {
  fc.assert(
    fc.property(hours, instant, fc.integer({ min: 1, max: 300_000 }), ({ open }, at, seconds) => {
      const end = new Date(at.getTime() + 1_000 * open.secondsAhead(at, seconds));
      expect(open.openSeconds(at, end)).toBeCloseTo(seconds, 3);
      const start = new Date(at.getTime() - 1_000 * open.secondsBack(at, seconds));
      expect(open.openSeconds(start, at)).toBeCloseTo(seconds, 3);
    }),
    { numRuns: 300 },
  );
});

test('no open time passes while it is closed, and a change of the clock gives and takes no open hour', () => {
  const friday = new Date('2026-10-31T20:00:00Z'); // Saturday noon is over: closed until Monday
  expect(central.openSeconds(friday, new Date('2026-11-02T14:00:00Z'))).toBe(0);
  expect(central.secondsAhead(friday, 3_600)).toBe((42 + 1) * 3_600);
  const allDay = createOpenHours({
    time_zone: 'America/Chicago',
    hours: { 'mon-sun': ['00:00-24:00'] },
    holidays: [],
  });
  const day = (from: string, until: string) => allDay.openSeconds(new Date(from), new Date(until)) / 3_600;
  expect(day('2026-03-08T06:00:00Z', '2026-03-09T05:00:00Z')).toBe(23);
  expect(day('2026-11-01T05:00:00Z', '2026-11-02T06:00:00Z')).toBe(25);
});

test.each([
  [{ mon: ['18:00-08:00'] }, 'ends before it begins'],
  [{ mon: ['08:00-12:00', '11:00-18:00'] }, 'overlap'],
  [{ 'mon-fri': ['08:00-18:00'], wed: ['08:00-12:00'] }, 'name wed twice'],
  [{ 'fri-mon': ['08:00-18:00'] }, 'ends before it begins'],
  [{ mon: [] }, 'no time at which it is open'],
])('%j is refused: %s', (week, sentence) => {
  expect(() => createOpenHours({ time_zone: 'America/Chicago', hours: week, holidays: [] })).toThrow(
    sentence,
  );
});

test('a week has its open minutes', () => {
  expect(openMinutesAWeek(WEEK)).toBe(5 * 600 + 180);
});

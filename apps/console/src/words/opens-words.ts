/**
 * When a payer's phone is answered again, by the clock of its zone: `opens at 8:00 Central`, and with the day where that is
 * not today.
 */
export function opensWords(opensAt: string, timeZone: string | null, now = new Date()): string {
  const zone = timeZone ?? 'UTC';
  const at = new Date(opensAt);
  const part = (options: Intl.DateTimeFormatOptions, type: Intl.DateTimeFormatPartTypes, date = at) =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })
      .formatToParts(date)
      .find((one) => one.type === type)?.value ?? '';
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = `${Number(part(time, 'hour'))}:${part(time, 'minute')}`;
  const name = part({ timeZoneName: 'longGeneric' }, 'timeZoneName').replace(/ (Standard )?Time$/, '');
  const dayOf = (date: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
  if (dayOf(at) === dayOf(now)) return `opens at ${clock} ${name}`;
  const day = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format(at);
  return `opens on ${day} at ${clock} ${name}`;
}

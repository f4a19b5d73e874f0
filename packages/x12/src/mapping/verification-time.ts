/**
 * When the payer answered: BHT04/05 on the payer's clock, with its offset, so that the digits stay the payer's. Without
 * them, when the answer was received.
 */
export function verificationTime(
  { createdDate, createdTime }: { createdDate: string | null; createdTime: string | null },
  { payerTimeZone, receivedAt }: { payerTimeZone: string; receivedAt: Date },
): string {
  if (createdDate === null || createdTime === null) return receivedAt.toISOString();
  const asUtc = new Date(`${createdDate}T${createdTime}Z`);
  // The offset at that instant of UTC may be the one before a change; the second look is at the instant itself.
  const near = offsetAt(asUtc, payerTimeZone);
  const offset = offsetAt(new Date(`${createdDate}T${createdTime}${near}`), payerTimeZone);
  return `${createdDate}T${createdTime}${offset}`;
}

/** Making one costs more than reading an answer; there are as many as payers have zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `Z`, `-05:00`… */
function offsetAt(at: Date, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset.slice(0, 6);
}

/** Today on the payer's clock, `YYYY-MM-DD`: what is asked for, since payers refuse a day that has not begun. */
export function todayIn(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

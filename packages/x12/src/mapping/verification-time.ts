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
  // The offset at that UTC instant may be from before a change, so it is looked up again at the instant itself.
  const near = offsetAt(asUtc, payerTimeZone);
  const offset = offsetAt(new Date(`${createdDate}T${createdTime}${near}`), payerTimeZone);
  return `${createdDate}T${createdTime}${offset}`;
}

const offsetFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

/**
 * Making one costs more than reading an answer; there are as many as payers have zones. The first in a process takes
 * 15 ms, whatever its zone, so it is made where the module is loaded and not where an answer waits.
 */
const offsetFormats = new Map([['UTC', offsetFormat('UTC')]]);

/** `Z`, `-05:00`… */
function offsetAt(at: Date, timeZone: string): string {
  const format = offsetFormats.get(timeZone) ?? offsetFormat(timeZone);
  offsetFormats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset.slice(0, 6);
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Today in the payer's zone, `YYYY-MM-DD`. Payers refuse a day that has not begun. */
export function todayIn(timeZone: string, now: Date): string {
  const format = dayFormats.get(timeZone) ?? dayFormat(timeZone);
  dayFormats.set(timeZone, format);
  const parts = format.formatToParts(now);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
}

/**
 * When the payer answered: BHT04/05 on the payer's clock, with its offset, so that the digits stay the payer's. Without
 * them, when the answer was received.
 */
export function verificationTime(
  { createdDate, createdTime }: { createdDate: string | null; createdTime: string | null },
  { payerTimeZone, receivedAt }: { payerTimeZone: string; receivedAt: Date },
): string {
  if (createdDate === null || createdTime === null) return receivedAt.toISOString();
  const asUtc = Date.parse(`${createdDate}T${createdTime}Z`);
  // The offset at that UTC instant may be from before a change, so it is looked up again at the instant itself.
  const near = offsetAt(asUtc, payerTimeZone);
  const offset = offsetAt(asUtc - msOf(near), payerTimeZone);
  return `${createdDate}T${createdTime}${offset}`;
}

/** Today in the payer's zone, `YYYY-MM-DD`. Payers refuse a day that has not begun. */
export function todayIn(timeZone: string, now: Date): string {
  const ahead = msOf(offsetAt(now.getTime(), timeZone));
  return new Date(now.getTime() + ahead).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** How far a clock with this offset is ahead of UTC. */
function msOf(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = 60 * Number(offset.slice(1, 3)) + Number(offset.slice(4));
  return (offset.startsWith('-') ? -MINUTE_MS : MINUTE_MS) * minutes;
}

/** Every zone has changed its offset on a whole minute since 1973. */
const MINUTE_MS = 60_000;

/** Offsets by zone and minute. Looking one up takes 20 µs, and each inquiry with its answer needs four or more. */
const offsets = new Map<string, Map<number, string>>();
const OFFSET_COUNT_MAX = 1_000;

/** `Z`, `-05:00`… */
function offsetAt(at: number, timeZone: string): string {
  const minute = Math.floor(at / MINUTE_MS);
  const ofZone = offsets.get(timeZone) ?? new Map<number, string>();
  const known = ofZone.get(minute);
  if (known !== undefined) return known;
  if (ofZone.size >= OFFSET_COUNT_MAX) ofZone.clear();
  const offset = lookUpOffset(at, timeZone);
  ofZone.set(minute, offset);
  offsets.set(timeZone, ofZone);
  return offset;
}

const offsetFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

/**
 * Making one costs more than reading an answer; there are as many as payers have zones. The first in a process takes
 * 15 ms, whatever its zone, so it is made where the module is loaded and not where an answer waits.
 */
const offsetFormats = new Map([['UTC', offsetFormat('UTC')]]);

function lookUpOffset(at: number, timeZone: string): string {
  const format = offsetFormats.get(timeZone) ?? offsetFormat(timeZone);
  offsetFormats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset.slice(0, 6);
}

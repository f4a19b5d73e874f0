/** The seconds a `Retry-After` asks to wait (RFC 9110, 10.2.3: seconds or a date); undefined for anything else. */
export function parseRetryAfter(value: string | null, now = new Date()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // A date has a weekday and a time; Plain `Date.parse` would read "-1" as a month.
  const at = /^[A-Z][a-z]{2}.*\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/** The longest delay a receiver may ask for. */
export const RETRY_AFTER_SECONDS_MAX = 86_400;

/** The three date forms of RFC 9110, 5.6.7. Plain `Date.parse` would read "5 apples" as May 2001. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3) as whole seconds from `now`, rounded up and capped at 24
 * hours. A date in the past is 0; anything else that is not a number of seconds or an HTTP date is null.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_SECONDS_MAX);
  if (!HTTP_DATES.some((form) => form.test(text))) return null;
  // asctime's form carries no zone and means UTC.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(Math.ceil((atMs - now.getTime()) / 1000), 0), RETRY_AFTER_SECONDS_MAX);
}

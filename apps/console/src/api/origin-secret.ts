const NAME = 'origin-secret';

/**
 * 256 random bits in base64url, which every call of these pages carries. A browser sends the session's cookie to every
 * port of the host; the storage is of one port, so a page of another has the cookie at most. In `localStorage`, for all
 * tabs, and read again each time: of two tabs that make one at once, the later one's stays.
 */
export function originSecret(): string {
  const kept = localStorage.getItem(NAME);
  if (kept !== null && /^[\w-]{43}$/.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  const made = text.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
  localStorage.setItem(NAME, made);
  return made;
}

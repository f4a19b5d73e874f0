/** Bytes that Web Crypto takes: a view on its own, unshared buffer. */
export type KeyBytes = Uint8Array<ArrayBuffer>;

/**
 * Decodes `<prefix><base64>`; null for anything else, such as a variable that is not set.
 *
 * Accepts only canonical, padded base64: a secret that was cut, wrapped or URL-encoded on its way into an environment
 * variable is detected here, not at the first mismatching signature. `atob` rather than Buffer: this file also runs in
 * browsers.
 */
export function decodeKey(text: unknown, prefix: string): KeyBytes | null {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return null;
  const base64 = text.slice(prefix.length);
  try {
    const binary = atob(base64);
    if (btoa(binary) !== base64) return null;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

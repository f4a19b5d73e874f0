/** A callback address split for the request. */
export interface RequestTarget {
  readonly origin: string;
  readonly path: string;
  /** The `Authorization` header from the address's userinfo, or null. */
  readonly authorization: string | null;
}

/**
 * Splits a callback address; null for one that may not be called: unparsable, not http(s), http where https is
 * required, or on port 0, for which undici would take the scheme's own.
 */
export function requestTarget(text: string, httpsOnly: boolean): RequestTarget | null {
  const url = URL.parse(text);
  const isCallable = url?.protocol === 'https:' || (url?.protocol === 'http:' && !httpsOnly);
  if (url === null || !isCallable || url.port === '0') return null;
  return { origin: url.origin, path: url.pathname + url.search, authorization: basicAuthorization(url) };
}

/** RFC 7617 with UTF-8; undici would drop the userinfo silently. */
function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64')}`;
}

/** `new URL()` accepts a stray `%`, so an address such as `https://50%:x@host/` is valid, with the `%` literal. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

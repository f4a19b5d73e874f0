/** Where the service is, and who calls it. */
export interface ClientOptions {
  /** The service's address, `https://verify.example` or with a path before it; without `/trpc` or `/requests`. */
  readonly url: string | URL;
  /** An API key, `ivk_live_…` or `ivk_test_…`. Only `verificationOutput.submit` goes without one. */
  readonly apiKey?: string | undefined;
  /** What makes the HTTP calls; the runtime's `fetch` when left out. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds within which an attempt must have its whole answer; 30,000 when left out. */
  readonly timeoutMs?: number | undefined;
}

/** How both clients reach the service. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  /** `fetch` with the key, the deadline and no redirects. */
  readonly fetch: typeof globalThis.fetch;
  /** A signal for one attempt's deadline; it aborts only for that. */
  readonly startDeadline: () => AbortSignal;
}

const TIMEOUT_MS = 30_000;

/**
 * Checks the options once, so that a mistake is told when the client is made. The runtime would tell a wrong key at the
 * first call, in an error text that repeats the key.
 * @throws TypeError naming the option; never its value.
 */
export function openConnection({ url, apiKey, fetch, timeoutMs = TIMEOUT_MS }: ClientOptions): Connection {
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,200}$/.test(apiKey)) {
    throw new TypeError('apiKey must be 1 to 200 printable characters without spaces');
  }
  if (!(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1)) throw new TypeError('timeoutMs must be 1 to 2147483647');
  return {
    url: readUrl(url),
    // Looked up at each call, and called without `this`: a browser's fetch refuses any but its window.
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, withKey(init, apiKey)),
    startDeadline: () => AbortSignal.timeout(timeoutMs),
  };
}

/** Redirects are not followed: `fetch` would take `x-key` along to any other host. */
function withKey(init: RequestInit | undefined, apiKey: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (apiKey !== undefined) headers.set('x-key', apiKey);
  return { ...init, headers, redirect: 'manual' };
}

function readUrl(given: string | URL): string {
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('url must be an http or https address without user, query and fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

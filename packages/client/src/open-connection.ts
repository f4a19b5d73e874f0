/** The service's address and the caller's credentials. */
export interface ClientOptions {
  /** The service's address, `https://verify.example`, optionally with a path; without `/trpc` or `/requests`. */
  readonly url: string | URL;
  /** An API key, `ivk_live_…` or `ivk_test_…`. Only `verificationOutput.submit` works without one. */
  readonly apiKey?: string | undefined;
  /** The function that makes the HTTP calls; defaults to the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Milliseconds within which an attempt must have its complete answer; defaults to 30,000. Of rows that are sent or
   * read: milliseconds that the service may be silent.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with a sentence where the service warns the key of a test account: members that no payer would know, or that
   * the service ignores, by their names. Defaults to `console.warn`.
   */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** Both clients' connection to the service. */
export interface Connection {
  /** Without a trailing slash. */
  readonly url: string;
  /** `fetch` with the key, the deadline and no redirects. */
  readonly fetch: typeof globalThis.fetch;
  /** Starts one attempt's deadline; the signal aborts only for that. */
  readonly startDeadline: () => AbortSignal;
  readonly timeoutMs: number;
}

const TIMEOUT_MS = 30_000;

/**
 * Checks the options once, so that a mistake surfaces when the client is made. The runtime would reject a malformed key
 * at the first call, with an error text that repeats the key.
 * @throws TypeError naming the option; never its value.
 */
export function openConnection({
  url,
  apiKey,
  fetch,
  timeoutMs = TIMEOUT_MS,
  warn = (sentence) => console.warn(sentence), // oxlint-disable-line no-console -- its developer reads it there
}: ClientOptions): Connection {
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,200}$/.test(apiKey)) {
    throw new TypeError('apiKey must be 1 to 200 printable characters without spaces');
  }
  if (!(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1)) throw new TypeError('timeoutMs must be 1 to 2147483647');
  return {
    url: readUrl(url),
    // Looked up at each call and called without `this`: a browser's fetch accepts only its window.
    fetch: async (input, init) => {
      const answer = await (fetch ?? globalThis.fetch)(input, withKey(init, apiKey));
      for (const sentence of warningsOf(answer.headers)) warn(sentence);
      return answer;
    },
    startDeadline: () => AbortSignal.timeout(timeoutMs),
    timeoutMs,
  };
}

/** What the service warns of, in headers that only a test account's key gets. */
const WARNINGS = {
  'doubtful-members': 'The service took the request, but no payer would know the values of',
  'ignored-members': 'The service ignores members that it does not know',
};

const warningsOf = (headers: Headers): string[] =>
  Object.entries(WARNINGS).flatMap(([header, sentence]) => {
    const members = headers.get(header);
    return members === null ? [] : [`${sentence}: ${members}.`];
  });

/** Does not follow redirects: `fetch` would send `x-key` to any other host. */
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

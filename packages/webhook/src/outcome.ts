/**
 * The outcome of one attempt.
 *
 * - `succeeded`: a 2xx status line, whatever came after it.
 * - `http_error`: any other status; `redirected`: 3xx, which is never followed; `gone`: 410.
 * - `timeout`: no status line in time, or no connection in time.
 * - `connection_failed`: refused, or reset or closed before a status line, or what came is not HTTP/1.
 * - `tls_failed`: the TLS handshake failed or the certificate is expired, self-signed, for another host or otherwise
 *   not trusted.
 * - `dns_failed`: the name did not resolve.
 * - `blocked_address`: the address guard refused it, or the URL may never be called (http where https is required).
 */
export type AttemptOutcome =
  | 'succeeded'
  | 'http_error'
  | 'redirected'
  | 'gone'
  | 'timeout'
  | 'connection_failed'
  | 'tls_failed'
  | 'dns_failed'
  | 'blocked_address';

/**
 * The facts of one attempt. It holds no address, so it can be logged and shown; the snippet is the receiver's own text.
 */
export interface SendResult {
  readonly outcome: AttemptOutcome;
  /** Null when no status line arrived. */
  readonly statusCode: number | null;
  /** Whole milliseconds, including DNS and reading the response. */
  readonly durationMs: number;
  /** The first bytes of the response body as sent, at most 2048 and not decompressed; null when none arrived. */
  readonly responseSnippet: Uint8Array | null;
  /** `Retry-After`, as seconds from now, at most 86,400; null when absent, unreadable or negative. */
  readonly retryAfterSeconds: number | null;
}

/**
 * The class of an error from undici. The connector's own failures arrive as SendFailure; all others happened on an open
 * connection.
 */
export function outcomeOfError(err: unknown): AttemptOutcome {
  if (err instanceof SendFailure) return err.outcome;
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed';
}

/** The class of an HTTP status. 410 has its own (RFC 9110, 15.5.11): the receiver wants no more messages. */
export function outcomeOfStatus(statusCode: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return 'succeeded';
  if (statusCode >= 300 && statusCode < 400) return 'redirected';
  return statusCode === 410 ? 'gone' : 'http_error';
}

/**
 * An attempt that ended before a status line, with its class. Passes from the connector to the sender through undici;
 * it has no `code`, because undici retries some of its own codes forever.
 */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome, options?: ErrorOptions) {
    super(`The attempt ended: ${outcome}`, options);
    this.outcome = outcome;
  }
}

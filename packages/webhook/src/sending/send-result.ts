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

import type { Dispatcher } from 'undici';
import { outcomeOfStatus, SendFailure, type SendResult } from './outcome.ts';

/** The body after the status line only helps debugging; two seconds of it suffice, and free the row sooner. */
const BODY_TIMEOUT_MS = 2000;

const READ_BYTES_MAX = 65_536;
const SNIPPET_BYTES_MAX = 2048;

/** What an attempt was answered; its sender adds how long that took. */
export type Answer = Omit<SendResult, 'durationMs'>;

/** Exactly one of the two is called, once. */
interface Settle {
  readonly resolve: (answer: Answer) => void;
  /** When no status line came. */
  readonly reject: (reason: unknown) => void;
}

/** How long a status line may take. */
export interface Patience {
  /** Until it has come, the wait for a free connection included. */
  readonly totalTimeoutMs: number;
  /** The caller's abort. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Follows one request of undici's to its answer, and reads the first 2 KB of the body. A body that ends within 64 KB and
 * in time leaves the connection reusable; at either bound it is closed. The status line decides: of a body that is reset,
 * truncated, late, or aborted by the caller, what arrived is the snippet.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #settle: Settle;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#end(this.#signal?.reason);
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #statusCode: number | null = null;
  #retryAfter: string | string[] | undefined;
  #kept: Buffer[] = [];
  #readBytes = 0;

  constructor(settle: Settle, { totalTimeoutMs, signal }: Patience) {
    this.#settle = settle;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#end(new SendFailure('timeout')), totalTimeoutMs);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) controller.abort(new SendFailure('timeout')); // while it waited for a connection
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#statusCode = statusCode;
    this.#retryAfter = headers['retry-after'];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), BODY_TIMEOUT_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < SNIPPET_BYTES_MAX)
      this.#kept.push(chunk.subarray(0, SNIPPET_BYTES_MAX - this.#readBytes));
    this.#readBytes += chunk.length;
    if (this.#readBytes >= READ_BYTES_MAX) this.#end();
  }

  onResponseEnd(): void {
    this.#notify();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, err: Error): void {
    this.#notify(err);
  }

  /** Closes the connection. */
  #end(reason: unknown = new SendFailure('connection_failed')): void {
    this.#notify(reason);
    this.#controller?.abort(reason as Error);
  }

  #notify(failure?: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#statusCode === null) this.#settle.reject(failure);
    else
      this.#settle.resolve({
        outcome: outcomeOfStatus(this.#statusCode),
        statusCode: this.#statusCode,
        responseSnippet: this.#readBytes === 0 ? null : new Uint8Array(Buffer.concat(this.#kept)),
        retryAfterSeconds: parseRetryAfter(this.#retryAfter, new Date()),
      });
  }
}

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

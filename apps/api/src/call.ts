import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveKey } from '@insurance-verification/store';
import type { Authenticator } from './access/create-authenticator.ts';
import { clientOf } from './client-address.ts';
import type { PublicError } from './problem.ts';

/** One HTTP request, as handlers know it, through whichever door it came; and what it leaves for its log line. */
export class Call {
  /** Names this call in the log, and in a 5xx answer. */
  readonly trace = randomUUID();
  /** Whose key it carries; null until it was looked up, and without a valid one. */
  key: LiveKey | null = null;
  /** The request that the call is about. */
  requestId: string | undefined;
  /** What the call ended with; undefined when it went well. */
  err: PublicError | undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #authenticator: Authenticator;
  #gone: AbortController | undefined;
  #caller: Promise<LiveKey | null> | undefined;

  constructor(authenticator: Authenticator, req: IncomingMessage, res: ServerResponse) {
    this.#authenticator = authenticator;
    this.#req = req;
    this.#res = res;
  }

  /** The caller's live key, looked up at most once a call; null without a valid one. */
  caller(): Promise<LiveKey | null> {
    this.#caller ??= this.lookUpKey().then((key) => (this.key = key));
    return this.#caller;
  }

  /** The caller's key as it is by now. */
  lookUpKey(): Promise<LiveKey | null> {
    return this.#authenticator.authenticate(this.#header('x-key'));
  }

  /** The header `Idempotency-Key` as it came. */
  get idempotencyKey(): string | undefined {
    return this.#header('idempotency-key');
  }

  /** The address that it comes from (see {@link clientOf}). */
  get client(): string {
    return clientOf(this.#req);
  }

  /** Aborted when the client went away before its answer. Asked for before it can have: at the start of a handler. */
  get gone(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController();
      this.#gone = gone;
      this.#res.once('close', () => {
        if (!this.#res.writableFinished) gone.abort();
      });
      if (this.#res.closed) gone.abort();
    }
    return this.#gone.signal;
  }

  setHeader(name: string, value: string): void {
    if (!this.#res.headersSent) this.#res.setHeader(name, value);
  }

  /** Notes the request that the call is about. */
  concerns(requestId: string): void {
    this.requestId = requestId;
  }

  /** Notes the error that the call ends with. */
  failed(err: PublicError): void {
    this.err = err;
  }

  #header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
}

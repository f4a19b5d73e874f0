import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import type { LiveKey, LivePerson } from '@insurance-verification/store';
import { addressOf, clientOf } from '../../network/client-address.ts';
import type { Networks } from '../../network/networks.ts';
import type { PublicError } from '../problem/problem.ts';
import type { Authenticator } from './authenticator.ts';
import type { BodyAllowance } from './body-allowance.ts';
import { readCallerTrace } from './caller-trace.ts';

/** One HTTP request, as handlers know it, through whichever door it came; and what it leaves for its log line. */
export class Call {
  /** Names this call in the log, in the header `request-id`, and in a 5xx answer. */
  readonly trace = randomUUID();
  /** Whose key it carries, or which person's session; null until it was looked up, and without a valid one. */
  key: LiveKey | null = null;
  /** What it is told where a caller is needed and it has none. */
  absent: ProblemCode = 'unauthorized';
  /** The request that the call is about. */
  requestId: string | undefined;
  /** Whether it stored that request. */
  isFirst = false;
  /** What the call ended with; undefined when it went well. */
  err: PublicError | undefined;
  /** The policies it has met, as its answer names them. */
  limits: Map<string, { readonly policy: string; readonly limit: string }> | null = null;
  /** What its input holds that nobody looks at; null unless the caller is told. */
  ignoredMembers: Set<string> | null = null;
  /** Of a caller that is a stranger to the operation: how large its body may be. */
  strangerBytesMax: number | undefined;
  /** The room its body has taken; undefined until one is read. */
  bodyAllowance: BodyAllowance | undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #authenticator: Authenticator;
  #gone: AbortController | undefined;
  #caller: Promise<LiveKey | null> | undefined;
  #lookUp = () => this.#authenticator.authenticate(this.#header('x-key'));
  #address: string | null | undefined;
  readonly #trustedProxies: Networks;

  constructor(
    { authenticator, trustedProxies }: { authenticator: Authenticator; trustedProxies: Networks },
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    this.#authenticator = authenticator;
    this.#trustedProxies = trustedProxies;
    this.#req = req;
    this.#res = res;
  }

  /** The caller's live key, or person, looked up at most once a call; null without a valid one. */
  caller(): Promise<LiveKey | null> {
    this.#caller ??= this.lookUpCaller().then((key) => (this.key = key));
    return this.#caller;
  }

  /** The caller as it is by now. */
  lookUpCaller(): Promise<LiveKey | null> {
    return this.#lookUp();
  }

  /** A session speaks for this call, and its key, if it carries one, does not. */
  speaksFor(person: LivePerson, lookUp: () => Promise<LivePerson | null>): void {
    this.key = person;
    this.#caller = Promise.resolve(person);
    this.#lookUp = lookUp;
    this.absent = 'signed_out';
  }

  /** Whether it carries a key, right or wrong. */
  get namesKey(): boolean {
    return (this.#header('x-key') ?? '') !== '';
  }

  /** The client's address; null where no one knows it. */
  get address(): string | null {
    return this.#noteAddress();
  }

  /** Bytes that the body has taken, or will. */
  get bodyByteCount(): number {
    return this.bodyAllowance?.takenBytes ?? 0;
  }

  /** The header `Idempotency-Key` as it came. */
  get idempotencyKey(): string | undefined {
    return this.#header('idempotency-key');
  }

  /** The id that the caller gave the call; undefined without one that may stand in a log. */
  get callerTrace(): string | undefined {
    return readCallerTrace(this.#header('request-id') ?? this.#header('x-request-id'));
  }

  /** The address that it comes from (see {@link clientOf}). */
  get client(): string {
    return clientOf(this.address);
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
    this.#noteAddress(); // its line is written when the socket may be closed, and no longer tell it
  }

  #noteAddress(): string | null {
    if (this.#address === undefined) this.#address = addressOf(this.#req, this.#trustedProxies);
    return this.#address;
  }

  #header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
}

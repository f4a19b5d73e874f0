import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import type { LiveKey, LivePerson } from '@insurance-verification/store';
import type { SentRows } from '../../body/read-rows.ts';
import { addressOf, type AddressSource, clientOf, type Networks } from '../../network/client-address.ts';
import { isOfForeignPage, type OwnAddress } from '../../network/own-pages.ts';
import type { PublicError } from '../problem.ts';

interface KeyLookUp {
  authenticate(text: string | undefined): Promise<LiveKey | null>;
}

/** What a call knows of its HTTP request. */
export interface CallSource extends AddressSource {
  readonly headers: IncomingHttpHeaders;
}

/** One HTTP request as handlers see it, over whichever transport, with what its log line needs. */
export class Call {
  /** Identifies this call in the log, in the header `request-id`, and in a 5xx answer. */
  readonly trace: string;
  /** The key or the person's session that it carries; null before the look-up, and without a valid one. */
  key: LiveKey | null = null;
  /** The problem it gets where a caller is needed and it has none. */
  absent: ProblemCode = 'unauthorized';
  /** The requests that the call is about, several in a batch, and whether it stored them. */
  readonly requests = new Map<string, { readonly isFirst: boolean }>();
  /** The error it ended with; undefined on success. */
  err: PublicError | undefined;
  /** The policies it has met, as its answer names them. */
  limits: Map<string, { readonly policy: string; readonly limit: string }> | null = null;
  /** Members of its input that the schema ignores; null unless the caller gets a warning. */
  ignoredMembers: Set<string> | null = null;
  /** Maximum body size of an anonymous sender to the operation; undefined for all others. */
  anonymousBytesMax: number | undefined;
  /** The memory taken for its body; undefined until a body is read. */
  bodyAllowance: BodyAllowance | undefined;
  /** The rows of a batch that is sent as a file; null where they are in the input. */
  sentRows: SentRows | null = null;
  readonly #req: CallSource;
  readonly #res: ServerResponse | null;
  #gone: AbortController | undefined;
  #caller: Promise<LiveKey | null> | undefined;
  /** Looks a session's person up; undefined where a key speaks. */
  #lookUpPerson: (() => Promise<LivePerson | null>) | undefined;
  #address: string | null | undefined;
  readonly #authenticator: KeyLookUp;
  readonly #trustedProxies: Networks;

  constructor(
    {
      authenticator,
      trustedProxies,
    }: { readonly authenticator: KeyLookUp; readonly trustedProxies: Networks },
    req: CallSource,
    res: ServerResponse | null,
    trace: string = randomUUID(),
  ) {
    this.trace = trace;
    this.#authenticator = authenticator;
    this.#trustedProxies = trustedProxies;
    this.#req = req;
    this.#res = res;
  }

  /** The caller's live key or person, looked up at most once per call; null without a valid one. */
  caller(): Promise<LiveKey | null> {
    this.#caller ??= this.lookUpCaller().then((key) => (this.key = key));
    return this.#caller;
  }

  /** Looks the caller up again: its rights may have changed since {@link caller}. */
  lookUpCaller(): Promise<LiveKey | null> {
    return this.#lookUpPerson?.() ?? this.#authenticator.authenticate(this.#header('x-key'));
  }

  /** Lets a session speak for this call; a key that it carries is ignored. */
  speaksFor(person: LivePerson, lookUp: () => Promise<LivePerson | null>): void {
    this.key = person;
    this.#caller = Promise.resolve(person);
    this.#lookUpPerson = lookUp;
    this.absent = 'signed_out';
  }

  /** Whether it carries a key, right or wrong. */
  get namesKey(): boolean {
    return (this.#header('x-key') ?? '') !== '';
  }

  /** The client's address; null when unknown. */
  get address(): string | null {
    return this.#noteAddress();
  }

  /** Bytes of memory taken for the body. */
  get bodyByteCount(): number {
    return this.bodyAllowance?.takenBytes ?? 0;
  }

  /** The header `Idempotency-Key`, unvalidated. */
  get idempotencyKey(): string | undefined {
    return this.#header('idempotency-key');
  }

  /** The header `Service-Date`, unvalidated. */
  get serviceDate(): string | undefined {
    return this.#header('service-date');
  }

  /** The header `Needed-By`, unvalidated. */
  get neededBy(): string | undefined {
    return this.#header('needed-by');
  }

  /** The header `Gender`, unvalidated. */
  get gender(): string | undefined {
    return this.#header('gender');
  }

  /** The header `Callback-Url` of a batch, unvalidated. */
  get callbackUrl(): string | undefined {
    return this.#header('callback-url');
  }

  /** The header `Batch-Label`, unvalidated. */
  get batchLabel(): string | undefined {
    return this.#header('batch-label');
  }

  /** The name and port that it was sent to, as the client says; empty without. */
  get host(): string {
    return this.#header('host') ?? '';
  }

  /** See {@link isOfForeignPage}. */
  isOfForeignPage(own: OwnAddress): boolean {
    return isOfForeignPage(this.#req.headers, own);
  }

  /** The caller's own id for the call; undefined without one that is safe to log. */
  get callerTrace(): string | undefined {
    return readCallerTrace(this.#header('request-id') ?? this.#header('x-request-id'));
  }

  /** The client it comes from (see {@link clientOf}). */
  get client(): string {
    return clientOf(this.address);
  }

  /**
   * Aborts when the client disconnects early. Read it at the start of a handler: the listener is attached on first
   * access.
   */
  get gone(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController();
      this.#gone = gone;
      const res = this.#res;
      res?.once('close', () => {
        if (!res.writableFinished) gone.abort();
      });
      if (res?.closed) gone.abort();
    }
    return this.#gone.signal;
  }

  setHeader(name: string, value: string): void {
    if (this.#res?.headersSent === false) this.#res.setHeader(name, value);
  }

  /** Records a request that the call is about; `isFirst`: it stored it. */
  concerns(requestId: string, { isFirst } = { isFirst: false }): void {
    this.requests.set(requestId, { isFirst });
  }

  /** The request that the call is about, the last one of a batch. */
  get requestId(): string | undefined {
    return [...this.requests.keys()].at(-1);
  }

  /** Records the error that the call ends with. */
  failed(err: PublicError): void {
    this.err = err;
    this.#noteAddress(); // by the time its line is written, the socket may be closed and have no address
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

/** The characters and the length that ids of programs, proxies and tracers need, and no more. */
const HARMLESS = /^[\w.:/+=@~-]{1,128}$/;

/** A caller's id for its call if it is safe to log; undefined otherwise. */
function readCallerTrace(header: string | undefined): string | undefined {
  return header !== undefined && HARMLESS.test(header) ? header : undefined;
}

/** The owner of a body's bytes. */
export interface BodyOwner {
  /** An account, or a client without a valid key. */
  readonly id: string;
  readonly isAnonymous: boolean;
}

/** The memory budget for bodies under way. */
export interface BodyMemory {
  /** Takes bytes of it if they are free now. */
  take(owner: BodyOwner, byteCount: number): boolean;
  /** Waits for bytes. @returns false when none came free in time or too many wait. */
  waitFor(owner: BodyOwner, byteCount: number): Promise<boolean>;
  /** Gives bytes back and admits waiting bodies, oldest first. */
  giveBack(owner: BodyOwner, byteCount: number): void;
}

/** The maximum size of one call's body, and the memory it has taken. */
export class BodyAllowance {
  readonly bytesMax: number;
  readonly #memory: BodyMemory;
  readonly #owner: BodyOwner;
  #takenBytes = 0;
  #isOver = false;

  constructor(memory: BodyMemory, owner: BodyOwner, bytesMax: number) {
    this.#memory = memory;
    this.#owner = owner;
    this.bytesMax = bytesMax;
  }

  /** Bytes of memory taken. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes memory for more bytes if it is free now. */
  take(byteCount: number): boolean {
    if (!this.#memory.take(this.#owner, byteCount)) return false;
    this.#takenBytes += byteCount;
    return true;
  }

  /** Waits for memory for more bytes. @returns false when none came free in time. */
  async waitFor(byteCount: number): Promise<boolean> {
    if (!(await this.#memory.waitFor(this.#owner, byteCount))) return false;
    this.#takenBytes += byteCount;
    if (this.#isOver) this.release(); // the client disconnected meanwhile
    return !this.#isOver;
  }

  /** Gives all memory back: the call is answered. */
  release(): void {
    this.#isOver = true;
    if (this.#takenBytes > 0) this.#memory.giveBack(this.#owner, this.#takenBytes);
    this.#takenBytes = 0;
  }
}

import type { Agent } from 'undici';
import { createAddressGuard } from './address-guard.ts';
import { openAgent } from './agent.ts';
import { type Answer, AnswerReader, type Patience } from './answer-reader.ts';
import { createGuardedConnector, egressProxy } from './connect.ts';
import { type AttemptOutcome, outcomeOfError, outcomeOfStatus, type SendResult } from './outcome.ts';
import { assertDescriptors, HostShortageError, shortageOf } from './shortage.ts';
import { statusCodeOf } from './status-lines.ts';

/** How a sender connects. */
export interface WebhookSenderOptions {
  /**
   * Networks allowed although they are not public, for example `['127.0.0.0/8', '::1/128']` on a laptop; empty in
   * production.
   */
  readonly allowCidrs: readonly string[];
  /** Refuse `http:` addresses, as `blocked_address`. */
  readonly httpsOnly: boolean;
  /**
   * An `http:` or `https:` CONNECT proxy for all connections; userinfo becomes `Proxy-Authorization`. Names are still
   * resolved and checked here, and the proxy gets a checked address, never the name; a name that does not resolve here
   * is `dns_failed`.
   */
  readonly egressProxyUrl?: string | undefined;
  /** The name servers, `host` or `host:port`, instead of the system's. */
  readonly dnsServers?: readonly string[] | undefined;
  /** Trusted PEM certificates instead of Node's roots, for receivers or a proxy under a private authority. */
  readonly trustedCa?: readonly string[] | undefined;
  /** Covers DNS, TCP and TLS; defaults to 5000. */
  readonly connectTimeoutMs?: number | undefined;
  /** From the request to the end of the response headers; defaults to 15,000. */
  readonly headersTimeoutMs?: number | undefined;
  /** Covers everything until the status line, including the wait for a free connection; defaults to 20,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** The `User-Agent` header; defaults to `insurance-verification-webhook`. */
  readonly userAgent?: string | undefined;
}

/** A single attempt. */
export interface WebhookMessage {
  /** The callback address. Userinfo is sent as `Authorization: Basic`; a fragment is dropped. */
  readonly url: string;
  /** All headers except `user-agent`, `host`, `content-length` and the address's authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts the attempt. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends webhooks, one attempt at a time, without a queue or retries. */
export interface WebhookSender {
  /**
   * Loads undici, which the first attempt does otherwise: a process without a descriptor left could not.
   */
  open(): Promise<void>;
  /**
   * Makes one attempt. It resolves whatever the receiver or the network does, and rejects only with the reason of an
   * aborted `signal`, with a {@link HostShortageError} where this machine could open no connection, or when the sender is
   * closed. An abort after the status line stops reading the body but still resolves: the receiver has answered, and
   * losing that would send it a duplicate.
   */
  send(message: WebhookMessage): Promise<SendResult>;
  /** Waits for the current attempts, then closes every connection. Once it has, another call changes nothing. */
  close(): Promise<void>;
}

/**
 * A sender that makes single attempts through the address guard. Its attempts share kept-alive connections, so make one
 * per process. Ignores the environment's proxy variables. Needs Node 22.19 or newer.
 *
 * @throws TypeError for an entry of `allowCidrs` that is not a CIDR, or an `egressProxyUrl` that is not an http(s) URL.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const userAgent = options.userAgent ?? 'insurance-verification-webhook';
  const connect = createGuardedConnector({
    guard: createAddressGuard(options),
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    egressProxy: egressProxy(options.egressProxyUrl),
    dnsServers: options.dnsServers,
    trustedCa: options.trustedCa,
  });
  let agent: Promise<Agent> | undefined;
  let isClosed = false;

  /** Keeps no failure: the next attempt opens it again. */
  const opened = () =>
    (agent ??= openAgent(connect).catch((err: unknown) => {
      agent = undefined;
      assertDescriptors(); // without one the loader finds no package
      throw err;
    }));

  async function attempt(message: WebhookMessage): Promise<Answer> {
    const target = requestTarget(message.url, options.httpsOnly);
    if (target === null) return unanswered('blocked_address');
    const openedAgent = await opened();
    message.signal?.throwIfAborted();
    return makeAttempt(openedAgent, {
      target,
      userAgent,
      headers: message.headers,
      body: message.body,
      headersTimeoutMs: options.headersTimeoutMs ?? 15_000,
      totalTimeoutMs: options.totalTimeoutMs ?? 20_000,
      signal: message.signal,
    });
  }

  async function send(message: WebhookMessage): Promise<SendResult> {
    if (isClosed) throw new Error('The webhook sender is closed');
    message.signal?.throwIfAborted();
    const startedAt = performance.now();
    const timed = (answer: Answer) => ({ ...answer, durationMs: Math.round(performance.now() - startedAt) });
    try {
      return timed(await attempt(message));
    } catch (err) {
      message.signal?.throwIfAborted();
      const shortage = shortageOf(err);
      if (shortage !== null) throw new HostShortageError(shortage, { cause: err });
      const statusCode = statusCodeOf(err);
      if (statusCode === null) return timed(unanswered(outcomeOfError(err)));
      return timed({ ...unanswered(outcomeOfStatus(statusCode)), statusCode });
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    const openedAgent = await agent?.catch(() => undefined);
    if (openedAgent?.closed === false) await openedAgent.close(); // undici's own rejects the second time
  }

  return { open: async () => void (await opened()), send, close };
}

function unanswered(outcome: AttemptOutcome): Answer {
  return { outcome, statusCode: null, responseSnippet: null, retryAfterSeconds: null };
}

/** The parts of one request. */
interface Attempt extends Patience {
  readonly target: RequestTarget;
  readonly userAgent: string;
  /** One of them in another case replaces ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly headersTimeoutMs: number;
}

/**
 * One POST, never redirected, never decompressed. Rejects unless all headers arrived; of what it rejected the sender knows whether a status line had come.
 *
 * By `dispatch`: with `agent.request`, which makes each answer a stream and listens to a signal, a delivery took 45 µs of
 * CPU more, half of it garbage collection and compilation on V8's other threads.
 */
function makeAttempt(agent: Agent, attempt: Attempt): Promise<Answer> {
  const { target, body, headersTimeoutMs: headersTimeout } = attempt;
  return new Promise((resolve, reject) => {
    agent.dispatch(
      {
        origin: target.origin,
        path: target.path,
        method: 'POST',
        headers: headersOf(attempt),
        body,
        headersTimeout,
        bodyTimeout: 0, // it restarts with every byte; the reader's own does not
      },
      new AnswerReader({ resolve, reject }, attempt),
    );
  });
}

function headersOf({ userAgent, headers, target }: Attempt): Record<string, string> {
  const all: Record<string, string> = { 'user-agent': userAgent };
  for (const name of Object.keys(headers)) all[name.toLowerCase()] = headers[name] ?? '';
  if (target.authorization !== null) all['authorization'] = target.authorization;
  return all;
}

/** A callback address split for the request. */
interface RequestTarget {
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

import type { SendResult } from './send-result.ts';

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
   * Makes one attempt. It resolves whatever the receiver or the network does, and rejects only with the reason of an
   * aborted `signal`, or when the sender is closed. An abort after the status line stops reading the body but still
   * resolves: the receiver has answered, and losing that would send it a duplicate.
   */
  send(message: WebhookMessage): Promise<SendResult>;
  /** Waits for the current attempts, then closes every connection. */
  close(): Promise<void>;
}

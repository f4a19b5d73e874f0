import type { SendResult } from './send-result.ts';

/** How a sender connects. */
export interface WebhookSenderOptions {
  /**
   * Networks opened although they are not public, for example `['127.0.0.0/8', '::1/128']` on a laptop; empty
   * in production.
   */
  readonly allowCidrs: readonly string[];
  /** Refuse `http:` addresses, as `blocked_address`. */
  readonly httpsOnly: boolean;
  /**
   * An `http:` or `https:` CONNECT proxy that all connections go through; userinfo becomes
   * `Proxy-Authorization`. Names are resolved and checked here all the same, and the proxy is asked for an address
   * that passed, never for the name; a name that does not resolve here is `dns_failed`.
   */
  readonly egressProxyUrl?: string | undefined;
  /** Name servers to ask, `host` or `host:port`, in place of the system's. */
  readonly dnsServers?: readonly string[] | undefined;
  /** PEM certificates to trust in place of Node's roots, for receivers or a proxy under a private authority. */
  readonly trustedCa?: readonly string[] | undefined;
  /** Over DNS, TCP and TLS; 5000 when left out. */
  readonly connectTimeoutMs?: number | undefined;
  /** From the request to the end of the response headers; 15,000 when left out. */
  readonly headersTimeoutMs?: number | undefined;
  /** Over everything until the status line, waiting for a free connection included; 20,000 when left out. */
  readonly totalTimeoutMs?: number | undefined;
  /** The `User-Agent` header; `insurance-verification-webhook` when left out. */
  readonly userAgent?: string | undefined;
}

/** One attempt to make. */
export interface WebhookMessage {
  /** The callback address. Userinfo is sent as `Authorization: Basic`; a fragment is dropped. */
  readonly url: string;
  /** All headers but `user-agent`, `host`, `content-length` and the authorization of the address. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Ends the attempt early. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends webhooks, one attempt at a time; it keeps no queue and retries nothing. */
export interface WebhookSender {
  /**
   * Makes one attempt. It resolves whatever the receiver or the network does, and rejects only with the
   * reason of an aborted `signal`, or when the sender is closed. An abort after the status line ends the
   * reading of the body but still resolves: the receiver has answered, and forgetting that would send it a
   * duplicate.
   */
  send(message: WebhookMessage): Promise<SendResult>;
  /** Waits for the attempts under way, then closes every connection. */
  close(): Promise<void>;
}

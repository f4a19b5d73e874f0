import type { Agent } from 'undici';
import { createAddressGuard } from '../address/create-address-guard.ts';
import { createGuardedConnector } from '../connection/guarded-connector.ts';
import { egressProxy } from '../connection/egress-proxy.ts';
import { openAgent } from './open-agent.ts';
import { outcomeOfError } from './outcome-of-error.ts';
import { outcomeOfStatus } from './outcome-of-status.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import { readSnippet } from './read-snippet.ts';
import { requestTarget, type RequestTarget } from './request-target.ts';
import { SendFailure } from './send-failure.ts';
import type { SendResult } from './send-result.ts';
import type { WebhookMessage, WebhookSender, WebhookSenderOptions } from './webhook-sender.ts';

/** The body after a status line is only a courtesy to whoever debugs; two seconds of it are enough, and the row is free again sooner. */
const BODY_TIMEOUT_MS = 2000;

/**
 * A sender that makes single attempts through the address guard. Connections are kept alive and shared by its attempts, so make one
 * per process. Proxy variables of the environment are not read. Needs Node 22.19 or newer.
 *
 * @throws TypeError for an entry of `allowCidrs` that is not a CIDR, or an `egressProxyUrl` that is not an http(s) URL.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { headersTimeoutMs = 15_000, totalTimeoutMs = 20_000, userAgent = 'insurance-verification-webhook' } = options;
  const connect = createGuardedConnector({
    guard: createAddressGuard(options),
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    egressProxy: egressProxy(options.egressProxyUrl),
    dnsServers: options.dnsServers,
    trustedCa: options.trustedCa,
  });
  let agent: Promise<Agent> | undefined;
  let isClosed = false;

  async function attempt(target: RequestTarget, message: WebhookMessage, signal: AbortSignal): Promise<Answer> {
    agent ??= openAgent(connect);
    const { statusCode, headers, body } = await (await agent).request({
      origin: target.origin,
      path: target.path,
      method: 'POST',
      headers: {
        'user-agent': userAgent,
        ...message.headers,
        ...(target.authorization !== null && { authorization: target.authorization }),
      },
      body: message.body,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: 0, // readSnippet has its own bound, which one byte a second cannot push back
      signal,
    });
    return {
      outcome: outcomeOfStatus(statusCode),
      statusCode,
      responseSnippet: await readSnippet(body, BODY_TIMEOUT_MS),
      retryAfterSeconds: parseRetryAfter(headers['retry-after'], new Date()),
    };
  }

  async function send(message: WebhookMessage): Promise<SendResult> {
    if (isClosed) throw new Error('The webhook sender is closed');
    message.signal?.throwIfAborted();
    const startedAt = performance.now();
    // Not AbortSignal.timeout with AbortSignal.any: a signal that lives as long as the process would collect one dependent per attempt.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new SendFailure('timeout')), totalTimeoutMs);
    const onAbort = () => deadline.abort(message.signal?.reason);
    message.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const target = requestTarget(message.url, options.httpsOnly);
      const answer = target === null ? unanswered('blocked_address') : await attempt(target, message, deadline.signal);
      return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
    } catch (err) {
      message.signal?.throwIfAborted();
      return { ...unanswered(outcomeOfError(err)), durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      clearTimeout(timer);
      message.signal?.removeEventListener('abort', onAbort);
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await (await agent)?.close();
  }

  return { send, close };
}

type Answer = Omit<SendResult, 'durationMs'>;

function unanswered(outcome: SendResult['outcome']): Answer {
  return { outcome, statusCode: null, responseSnippet: null, retryAfterSeconds: null };
}

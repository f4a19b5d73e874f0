import type { Agent } from 'undici';
import { createAddressGuard } from '../address/create-address-guard.ts';
import { egressProxy } from '../connection/egress-proxy.ts';
import { createGuardedConnector } from '../connection/guarded-connector.ts';
import { statusCodeOf } from '../connection/status-lines.ts';
import type { Answer } from './answer/answer-reader.ts';
import { outcomeOfStatus } from './answer/outcome-of-status.ts';
import { makeAttempt } from './make-attempt.ts';
import { openAgent } from './open-agent.ts';
import { outcomeOfError } from './outcome-of-error.ts';
import { requestTarget } from './request-target.ts';
import type { AttemptOutcome, SendResult } from './send-result.ts';
import type { WebhookMessage, WebhookSender, WebhookSenderOptions } from './webhook-sender.ts';

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

  async function attempt(message: WebhookMessage): Promise<Answer> {
    const target = requestTarget(message.url, options.httpsOnly);
    if (target === null) return unanswered('blocked_address');
    agent ??= openAgent(connect);
    const opened = await agent;
    message.signal?.throwIfAborted();
    return makeAttempt(opened, {
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
      const statusCode = statusCodeOf(err);
      if (statusCode === null) return timed(unanswered(outcomeOfError(err)));
      return timed({ ...unanswered(outcomeOfStatus(statusCode)), statusCode });
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await (await agent)?.close();
  }

  return { send, close };
}

function unanswered(outcome: AttemptOutcome): Answer {
  return { outcome, statusCode: null, responseSnippet: null, retryAfterSeconds: null };
}

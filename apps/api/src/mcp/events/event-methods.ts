import type { Schemas } from '@insurance-verification/schema';
import {
  endSubscription,
  findSubscription,
  type LiveKey,
  subscribe,
  SUBSCRIPTION_COUNT_MAX,
  subscriptionIdOf,
  type SubscriptionKey,
} from '@insurance-verification/store';
import { createWebhookSender, isWebhookSecret } from '@insurance-verification/webhook';
import { type McpServer, ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { App } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import type { ToolContext } from '../tools/tool.ts';
import { challenge } from './challenge.ts';
import { createEventTypes, mayHave, type McpEventType } from './event-types.ts';

// The webhook profile of MCP Events (SEP-3415, a draft): the SDK does not have these methods yet.

/** Seconds that a subscription lives: what the client asks for, within these bounds; without a wish the middle one. */
const TTL_SECONDS = { min: 60, usual: 86_400, max: 604_800 } as const;

/** Milliseconds for the answer to a challenge: the client waits for it. */
const CHALLENGE_MS = 10_000;

/** Challenges of one process at once. */
const CHALLENGE_COUNT_MAX = 8;

/** The specification's errors. */
const CODES = {
  invalid: -32_602,
  not_found: -32_011,
  forbidden: -32_012,
  exhausted: -32_013,
  unsupported: -32_014,
  callback: -32_015,
  internal: -32_603,
} as const;

const delivery = {
  mode: z.string(),
  url: z.string().max(2048),
  secret: z.string().max(200).optional(),
};

const Target = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
  delivery: z.looseObject(delivery),
});

const Subscribe = Target.extend({ ttlMs: z.number().positive().nullish() });

/** `events/list`, `events/subscribe` and `events/unsubscribe`. */
export interface EventMethods {
  addTo(server: McpServer, context: ToolContext): void;
  readonly close: () => Promise<void>;
}

export function createEventMethods(app: App, { Payer }: Schemas): EventMethods {
  const types = createEventTypes(Payer.options);
  const { allowCidrs, egressProxyUrl, production: httpsOnly } = app.config;
  const limits = { totalTimeoutMs: CHALLENGE_MS, headersTimeoutMs: CHALLENGE_MS };
  const sender = createWebhookSender({ allowCidrs, egressProxyUrl, httpsOnly, ...limits });
  let challengeCount = 0;

  const keyOf = (
    { name, arguments: given, delivery: { mode, url } }: z.output<typeof Target>,
    caller: LiveKey,
  ) => {
    const type = types.find((one) => one.name === name);
    if (!type) throw new ProtocolError(CODES.not_found, 'There is no such event.', { kind: 'event' });
    if (!mayHave(type, caller) || caller.session)
      throw new ProtocolError(
        CODES.forbidden,
        `A key with the scope ${type.scopes.join(' or ')} may have it.`,
      );
    if (mode !== 'webhook')
      throw new ProtocolError(CODES.unsupported, 'The delivery mode is webhook.', {
        feature: 'deliveryMode',
        value: mode,
      });
    const key: SubscriptionKey = { name: type.name, wanted: argumentsOf(type, given ?? {}), url };
    return { key, id: subscriptionIdOf(app.store.vault, caller.keyId, key) };
  };

  const verify = async (subscription: string, url: string, secret: string) => {
    if (challengeCount >= CHALLENGE_COUNT_MAX)
      throw exhausted('concurrent_verifications', CHALLENGE_COUNT_MAX);
    challengeCount += 1;
    try {
      const reason = await challenge(sender, { url, secret, subscription });
      if (reason !== null)
        throw new ProtocolError(CODES.callback, 'The callback address did not answer the challenge.', {
          reason,
        });
    } finally {
      challengeCount -= 1;
    }
  };

  const begin = async (params: z.output<typeof Subscribe>, { caller, countSubscription }: ToolContext) => {
    const { key, id } = keyOf(params, caller);
    const { url, secret } = params.delivery;
    if (secret === undefined || !isWebhookSecret(secret))
      throw invalid('delivery.secret is whsec_ and the base64 of 24 to 64 bytes.');
    const refusal = app.checkCallback(url);
    if (refusal !== null) throw invalid(`delivery.url can not be called: ${refusal}.`);
    const reaching = { ...caller, acrossAccounts: caller.scopes.includes('operate') };
    const found = await findSubscription(app.store, { caller, id });
    if (found.kind === 'too_many') throw exhausted('subscriptions', SUBSCRIPTION_COUNT_MAX);
    if (found.kind === 'none') {
      await countSubscription();
      await verify(id, url, secret);
    }
    const made = await subscribe(app.store, {
      caller: reaching,
      id,
      key,
      secret,
      ttlSeconds: ttlOf(params.ttlMs),
    });
    if (made.kind === 'too_many') throw exhausted('subscriptions', SUBSCRIPTION_COUNT_MAX);
    return { id, refreshBefore: made.expiresAt.toISOString(), cursor: null, truncated: false };
  };

  const end = async (params: z.output<typeof Target>, { caller }: ToolContext) => {
    const { id } = keyOf(params, caller);
    const ended = await endSubscription(app.store, { caller, id });
    if (ended.kind === 'not_found')
      throw new ProtocolError(CODES.not_found, 'There is no such subscription.', { kind: 'subscription' });
    return {};
  };

  return {
    addTo: ({ server }, context) => {
      const answered =
        <Params, Result>(work: (params: Params, context: ToolContext) => Promise<Result>) =>
        (params: Params) =>
          withProtocolErrors(context, () => work(params, context));
      server.setRequestHandler('events/list', { params: z.looseObject({}) }, () => ({
        events: types.filter((type) => mayHave(type, context.caller)).map(({ listed }) => listed),
      }));
      server.setRequestHandler('events/subscribe', { params: Subscribe }, answered(begin));
      server.setRequestHandler('events/unsubscribe', { params: Target }, answered(end));
    },
    close: () => sender.close(),
  };
}

function argumentsOf(type: McpEventType, given: unknown): SubscriptionKey['wanted'] {
  const { data, error } = type.arguments.safeParse(given);
  if (error)
    throw invalid(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  return data;
}

const ttlOf = (ms: number | null | undefined): number => {
  if (ms === undefined) return TTL_SECONDS.usual;
  if (ms === null) return TTL_SECONDS.max;
  return Math.min(Math.max(Math.floor(ms / 1000), TTL_SECONDS.min), TTL_SECONDS.max);
};

const invalid = (message: string) => new ProtocolError(CODES.invalid, message);

const exhausted = (limit: string, max?: number) =>
  new ProtocolError(CODES.exhausted, 'A limit is reached.', { limit, ...(max !== undefined && { max }) });

/** The SDK would send the message of any other error to the client. */
async function withProtocolErrors<Result>(
  { log }: ToolContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof ProtocolError) throw err;
    if (err instanceof ProblemError && err.code === 'rate_limited') throw exhausted('secret-reveal');
    log.error({ err }, 'a method of events failed');
    throw new ProtocolError(CODES.internal, new ProblemError('internal').message);
  }
}

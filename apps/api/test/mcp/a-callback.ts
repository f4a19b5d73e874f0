import { aReceiver, type Received, type Receiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import type { HttpAgent } from './an-mcp-service.ts';

/** An event as MCP Events posts it. */
export interface Occurrence {
  readonly eventId: string;
  readonly name: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly cursor: null;
}

/** The callback address of a client, which answers challenges and takes events. */
export interface Callback {
  readonly receiver: Receiver;
  readonly secret: string;
  readonly challenges: () => Received[];
  /** The events so far, verified by another program's verifier. */
  readonly events: () => (Occurrence & { readonly subscription: string })[];
  /** The first `count` events, once they have arrived. */
  readonly first: (count?: number) => Promise<(Occurrence & { readonly subscription: string })[]>;
}

/** Whether a post asks for an answer, and is no event. */
export const isChallenge = ({ body }: Received) => 'challenge' in (JSON.parse(body) as object);

/** Answers a challenge with its text, and an event with `status`. */
export const echo =
  (status = 204) =>
  (webhook: Received) =>
    isChallenge(webhook)
      ? {
          status: 200,
          text: JSON.stringify({ challenge: (JSON.parse(webhook.body) as { challenge: string }).challenge }),
        }
      : { status };

export async function aCallback(secret = createWebhookSecret()): Promise<Callback> {
  const receiver = await aReceiver(echo());
  const events = () =>
    receiver.received
      .filter((one) => !isChallenge(one))
      .map(({ body, headers }) => {
        const occurrence = new Webhook(secret).verify(body, headers as Record<string, string>) as Occurrence;
        return { ...occurrence, subscription: String(headers['x-mcp-subscription-id']) };
      });
  return {
    receiver,
    secret,
    challenges: () => receiver.received.filter(isChallenge),
    events,
    first: (count = 1) =>
      until(`${count} events arrived`, () => events().length >= count && events().slice(0, count)),
  };
}

const Subscribed = z
  .strictObject({
    id: z.string(),
    refreshBefore: z.iso.datetime(),
    cursor: z.null(),
    truncated: z.literal(false),
    _meta: z.unknown(),
    resultType: z.unknown(),
  })
  .partial({ _meta: true, resultType: true });

/** Calls a method that the SDK does not know. */
export const ask = (agent: HttpAgent, method: string, params: object) =>
  agent.client.request({ method, params: { ...params } }, z.looseObject({}));

export async function subscribe(
  agent: HttpAgent,
  { receiver, secret }: Callback,
  {
    name = 'work.available',
    ...rest
  }: { readonly name?: string; readonly arguments?: object; readonly ttlMs?: number | null } = {},
) {
  const params = { name, delivery: { mode: 'webhook', url: receiver.url, secret }, ...rest };
  return Subscribed.parse(await ask(agent, 'events/subscribe', params));
}

import { WebhookSecret } from '@insurance-verification/schema';
import {
  getWebhookSecrets,
  rotateWebhookSecret as rotateStoredSecret,
  type WebhookSecrets,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { mutation, query } from '../trpc.ts';

/** What the account's webhooks are signed with. */
export const getWebhookSecret = () =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/webhook-secret',
        summary: 'Read the webhook secret',
        tags: ['Delivery'],
      },
      scopes: ['secrets'],
      limit: 'secret-reveal',
    },
    output: WebhookSecret,
    handler: async ({ ctx }) => toWebhookSecret(await getWebhookSecrets(ctx.app.store, ctx.caller)),
  });

/** Makes a new secret; the one before signs beside it for 24 hours, however many more are made meanwhile. */
export const rotateWebhookSecret = () =>
  mutation({
    meta: {
      openapi: {
        method: 'POST',
        path: '/webhook-secret/rotate',
        summary: 'Rotate the webhook secret',
        tags: ['Delivery'],
      },
      scopes: ['secrets'],
      limit: 'secret-reveal',
      problems: ['rate_limited'],
    },
    output: WebhookSecret,
    handler: async ({ ctx }) =>
      toWebhookSecret(await rotateStoredSecret(ctx.app.store, ctx.caller, createWebhookSecret())),
  });

function toWebhookSecret({ current, previous, previousValidUntil }: WebhookSecrets): WebhookSecret {
  return { current, previous, previous_valid_until: previousValidUntil?.toISOString() ?? null };
}

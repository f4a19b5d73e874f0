import { WebhookSecret } from '@insurance-verification/schema';
import {
  getWebhookSecret as getStoredSecret,
  rotateWebhookSecret as rotateStoredSecret,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation, query } from '../procedure/trpc.ts';

/** Decodes to readable text, so that nobody takes it for a secret that signs. */
const EXAMPLE_SECRET = 'whsec_Y3VycmVudC1zZWNyZXQtb2YtdGhlLWV4YW1wbGUuLi4=';

/** The secret that signs the account's webhooks. */
export const getWebhookSecret = () =>
  query({
    meta: {
      operation: 'webhookSecret.get',
      openapi: {
        summary: 'Read the webhook secret',
        description:
          "Shows what the webhooks of the key's account are signed with (Standard Webhooks), and the secret before it while that still signs too.",
        tags: ['Delivery'],
      },
      limit: 'secret-reveal',
      answers: { settled: { current: EXAMPLE_SECRET, previous: null, previous_valid_until: null } },
    },
    output: WebhookSecret,
    handler: ({ ctx }) => getStoredSecret(ctx.app.store, { caller: ctx.caller }),
  });

/** Creates a new secret; the previous one signs beside it for 24 hours, however many more are created meanwhile. */
export const rotateWebhookSecret = () =>
  mutation({
    meta: {
      operation: 'webhookSecret.rotate',
      openapi: {
        summary: 'Rotate the webhook secret',
        description:
          'Makes a new secret. For 24 hours webhooks carry signatures of both, so that receivers can change over without a gap. At most nine old secrets are kept within a day; beyond it the answer is 429.',
        tags: ['Delivery'],
      },
      changes: ['access'],
      limit: 'secret-reveal',
      problems: ['rate_limited'],
      answers: {
        rotated: {
          current: EXAMPLE_SECRET,
          previous: 'whsec_cHJldmlvdXMtc2VjcmV0LW9mLXRoZS1leGFtcGxlLi4=',
          previous_valid_until: '2026-11-21T12:00:00.000Z',
        },
      },
    },
    output: WebhookSecret,
    handler: async ({ ctx }) => {
      const rotation = { caller: ctx.caller, next: createWebhookSecret() };
      const rotated = await rotateStoredSecret(ctx.app.store, rotation);
      return rotated.kind === 'rotated' ? rotated.secret : refuse(rotated);
    },
  });

import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { model } from '../model.ts';
import { operation } from './operation.ts';

/** The signing secret of an account's webhooks (`webhookSecret.get`); Standard Webhooks, `whsec_…`. */
export const WebhookSecret = model('WebhookSecret', "What an account's webhooks are signed with.", {
  current: z.string().meta({ description: 'The secret to verify with: whsec_ and base64.' }),
  previous: z.string().nullable().meta({
    description: 'The one before, which signs for 24 hours after a rotation; null without one.',
  }),
  previous_valid_until: dateTime()
    .nullable()
    .meta({ description: 'When the previous one stops signing; null without one.' }),
});
export type WebhookSecret = z.infer<typeof WebhookSecret>;

/** Decodes to readable text, so that it is not taken for a secret that signs. */
const EXAMPLE_SECRET = 'whsec_Y3VycmVudC1zZWNyZXQtb2YtdGhlLWV4YW1wbGUuLi4=';

/** The operations of `webhookSecret`. */
export const webhookSecretOperations = () => ({
  get: operation('webhookSecret.get', {
    get: '/webhook-secret',
    scopes: ['secrets'],
    audience: ['provider'],
    tag: 'Delivery',
    summary: 'Read the webhook secret',
    description:
      "Returns the secret that signs the account's webhooks (Standard Webhooks), and the previous one while it still signs too.",
    limit: 'secret-reveal',
    output: WebhookSecret,
    answers: { settled: { current: EXAMPLE_SECRET, previous: null, previous_valid_until: null } },
  }),

  // A second rotation makes a second secret, and at most nine old ones are kept within a day.
  rotate: operation('webhookSecret.rotate', {
    post: '/webhook-secret/rotate',
    scopes: ['secrets'],
    audience: ['provider'],
    repeatable: false,
    tag: 'Delivery',
    summary: 'Rotate the webhook secret',
    description:
      'Creates a new secret. For 24 hours webhooks carry signatures of both. At most nine old secrets are kept within a day; more rotations return 429.',
    limit: 'secret-reveal',
    problems: ['rate_limited'],
    changes: ['access'],
    output: WebhookSecret,
    answers: {
      rotated: {
        current: EXAMPLE_SECRET,
        previous: 'whsec_cHJldmlvdXMtc2VjcmV0LW9mLXRoZS1leGFtcGxlLi4=',
        previous_valid_until: '2026-11-21T12:00:00.000Z',
      },
    },
  }),
});

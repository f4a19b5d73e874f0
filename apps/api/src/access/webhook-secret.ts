import { getWebhookSecret, rotateWebhookSecret } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { refuse } from '../procedure/problem/refuse.ts';
import type { Handlers } from '../procedure/procedure.ts';

/** The secret that signs an account's webhooks. */
export const webhookSecret: Handlers<'webhookSecret'> = {
  get: ({ ctx }) => getWebhookSecret(ctx.app.store, { caller: ctx.caller }),

  rotate: async ({ ctx }) => {
    const rotation = { caller: ctx.caller, next: createWebhookSecret() };
    const rotated = await rotateWebhookSecret(ctx.app.store, rotation);
    return rotated.kind === 'rotated' ? rotated.secret : refuse(rotated);
  },
};

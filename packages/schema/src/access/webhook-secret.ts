import * as z from 'zod';
import { dateTime } from '../date-time.ts';
import { model } from '../model.ts';

/** What an account's webhooks are signed with (api.md, `webhookSecret.get`); Standard Webhooks, `whsec_…`. */
export const WebhookSecret = model('WebhookSecret', "What an account's webhooks are signed with.", {
  current: z.string().meta({ description: 'The secret to verify with: whsec_ and base64.' }),
  previous: z
    .string()
    .nullable()
    .meta({ description: 'The one before, which still signs during a rotation; else null.' }),
  previous_valid_until: dateTime()
    .nullable()
    .meta({ description: 'When the previous one stops signing; null without one.' }),
});
/** {@link WebhookSecret} as a type. */
export type WebhookSecret = z.infer<typeof WebhookSecret>;

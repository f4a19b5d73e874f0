import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';

/** The signing secret of an account's webhooks (`webhookSecret.get`); Standard Webhooks, `whsec_…`. */
export const WebhookSecret = model('WebhookSecret', "What an account's webhooks are signed with.", {
  current: z.string().meta({ description: 'The secret to verify with: whsec_ and base64.' }),
  previous: z.string().nullable().meta({
    description:
      'The one before, which signs for 24 hours after a rotation; null without one. Of several rotations within 24 hours each secret signs for its own 24.',
  }),
  previous_valid_until: dateTime()
    .nullable()
    .meta({ description: 'When the previous one stops signing; null without one.' }),
});
/** {@link WebhookSecret} as a type. */
export type WebhookSecret = z.infer<typeof WebhookSecret>;

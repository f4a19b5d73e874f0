import type { WebhookSecret } from '@insurance-verification/schema';
import { command } from '../command/command.ts';

/** The account's webhook secrets, in clear: the person asked for them. */
const secretFields: readonly (keyof WebhookSecret)[] = ['current', 'previous', 'previous_valid_until'];

/** `iv secret …` */
export const secretCommands = [
  command('show', 'webhookSecret.get', {
    example: 'iv secret show',
    about: 'show the secret to verify your webhooks with',
    fields: secretFields,
  }),
  command('rotate', 'webhookSecret.rotate', {
    example: 'iv secret rotate',
    about: 'make a new secret; the one before signs too for 24 hours',
    fields: secretFields,
    say: ({ previous_valid_until: until }) =>
      `The one before signs until ${until}: give receivers the new one by then.`,
  }),
];

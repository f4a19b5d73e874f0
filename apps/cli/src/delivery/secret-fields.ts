import type { WebhookSecret } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** The account's webhook secrets, in clear: the person asked for them. */
export function secretFields({ current, previous, previous_valid_until }: WebhookSecret): string[] {
  return fields([
    ['current', current],
    ['previous', previous],
    ['previous_valid_until', previous_valid_until],
  ]);
}

import { randomBytes } from 'node:crypto';

/**
 * A new shared signing secret: `whsec_` and the base64 of 32 random bytes. Show it to the receiver once and
 * store it encrypted.
 */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

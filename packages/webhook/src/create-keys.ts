import { generateKeyPairSync, randomBytes } from 'node:crypto';

/**
 * A new shared signing secret: `whsec_` and the base64 of 32 random bytes. Show it to the receiver once and
 * store it encrypted.
 */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * An ed25519 pair for `v1a` signatures: the sender keeps `privateKey`; receivers verify with `publicKey` and cannot
 * forge.
 */
export interface WebhookKeyPair {
  /**
   * `whsk_` and the base64 of 64 bytes: the seed, then the public key, the layout of other Standard Webhooks senders.
   */
  readonly privateKey: string;
  /** `whpk_` and the base64 of the 32-byte public key. */
  readonly publicKey: string;
}

/** A new ed25519 key pair for asymmetric signatures (`v1a` in Standard Webhooks 1.0). */
export function createWebhookKeyPair(): WebhookKeyPair {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (d === undefined || x === undefined) throw new Error('Node exported an ed25519 key without its bytes');
  const seed = Buffer.from(d, 'base64url');
  const publicKey = Buffer.from(x, 'base64url');
  return {
    privateKey: `whsk_${Buffer.concat([seed, publicKey]).toString('base64')}`,
    publicKey: `whpk_${publicKey.toString('base64')}`,
  };
}

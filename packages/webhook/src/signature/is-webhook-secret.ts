import { decodeKey } from './decode-key.ts';

const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;

/**
 * Whether the text is a usable signing secret: `whsec_` and the padded base64 of 24 to 64 bytes (Standard
 * Webhooks 1.0, "Signature scheme"). It says nothing about how random those bytes are.
 */
export function isWebhookSecret(text: unknown): boolean {
  const bytes = decodeKey(text, 'whsec_');
  return bytes !== null && bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX;
}

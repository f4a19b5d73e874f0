/**
 * The DOM's CryptoKey, obtained indirectly: its name is a type only with the DOM library or an import from node:crypto.
 */
type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key and the one signature version it may verify: a public key must never be tried as a shared secret. */
export interface VerificationKey {
  readonly version: 'v1' | 'v1a';
  readonly key: CryptoKey;
}

/** Imports `whsec_…` and `whpk_…` into Web Crypto. @throws WebhookVerificationError `bad_secret` */
export async function verificationKeys(secrets: unknown): Promise<VerificationKey[]> {
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new WebhookVerificationError('bad_secret', 'No secret was given');
  return Promise.all(secrets.map(importKey));
}

async function importKey(secret: unknown): Promise<VerificationKey> {
  const shared = isWebhookSecret(secret) ? decodeKey(secret, 'whsec_') : null;
  if (shared !== null)
    return { version: 'v1', key: await importRaw(shared, { name: 'HMAC', hash: 'SHA-256' }) };
  const publicKey = decodeKey(secret, 'whpk_');
  if (publicKey?.length === 32)
    return { version: 'v1a', key: await importRaw(publicKey, { name: 'Ed25519' }) };
  throw new WebhookVerificationError(
    'bad_secret',
    'A secret is whsec_ and the base64 of 24 to 64 bytes, or whpk_ and the base64 of an ed25519 public key',
  );
}

async function importRaw(bytes: KeyBytes, algorithm: { name: string; hash?: string }): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  } catch (err) {
    throw new WebhookVerificationError('bad_secret', `This runtime cannot use the ${algorithm.name} key`, {
      cause: err,
    });
  }
}

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

/** Bytes that Web Crypto takes: a view on its own, unshared buffer. */
export type KeyBytes = Uint8Array<ArrayBuffer>;

/**
 * Decodes `<prefix><base64>`; null for anything else, such as a variable that is not set.
 *
 * Accepts only canonical, padded base64: a secret that was cut, wrapped or URL-encoded on its way into an environment
 * variable is detected here, not at the first mismatching signature. `atob` rather than Buffer: this file also runs in
 * browsers.
 */
export function decodeKey(text: unknown, prefix: string): KeyBytes | null {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return null;
  const base64 = text.slice(prefix.length);
  try {
    const binary = atob(base64);
    if (btoa(binary) !== base64) return null;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Why a webhook was refused.
 *
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is absent or empty.
 * - `bad_timestamp`: the timestamp is not a whole number of Unix seconds.
 * - `timestamp_too_old`, `timestamp_in_future`: outside the tolerance; a replay, or a wrong clock.
 * - `no_matching_signature`: the body was changed, or it was signed with another secret.
 * - `bad_body`: the body is missing, or was parsed by a framework: pass the bytes as received.
 * - `bad_secret`: the receiver's own configuration is wrong; the message was not examined.
 */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'bad_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'no_matching_signature'
  | 'bad_body'
  | 'bad_secret';

/**
 * Thrown by `verifyWebhook`. Branch on `reason`; the message is for logs and contains nothing of the request or the
 * secret.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

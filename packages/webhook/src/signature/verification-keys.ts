import { decodeKey, type KeyBytes } from './decode-key.ts';
import { isWebhookSecret } from './is-webhook-secret.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

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

import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { decodeKey, isWebhookSecret } from './verification-keys.ts';

/**
 * DER of `PrivateKeyInfo` for ed25519 up to the seed (RFC 8410, section 7): Node has no shorter way to import a raw
 * seed.
 */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Maximum number of secrets with cached keys. */
const HMAC_KEY_COUNT_MAX = 1_000;

/** By secret: decoding one into a key takes 40 µs, signing with the key 10. */
const hmacKeys = new Map<string, KeyObject>();

/** What one attempt signs. */
export interface SignWebhookOptions {
  /** The message id, sent as `webhook-id`: printable ASCII without a dot, which separates the signed parts. */
  readonly id: string;
  /** The instant of this attempt, sent as `webhook-timestamp` in whole seconds (rounded down). */
  readonly timestamp: Date;
  /** The exact bytes of the body, as sent. */
  readonly body: Uint8Array;
  /**
   * One to ten of `whsec_…` (shared, gives `v1`) or `whsk_…` (ed25519, gives `v1a`); several during a secret's
   * rotation.
   */
  readonly secrets: readonly string[];
}

/**
 * The value of the `webhook-signature` header: one signature per secret, in their order, separated by spaces.
 *
 * @throws TypeError when the id, the timestamp or a secret is malformed. The text never contains the secret.
 */
export function signWebhook({ id, timestamp, body, secrets }: SignWebhookOptions): string {
  if (!/^[\x21-\x2d\x2f-\x7e]+$/.test(id))
    throw new TypeError('A webhook id is printable ASCII without a dot');
  const seconds = Math.floor(timestamp.getTime() / 1000);
  if (!(seconds >= 0)) throw new TypeError('A webhook timestamp is a valid date after 1970');
  if (secrets.length < 1 || secrets.length > 10) throw new TypeError('Sign with one to ten secrets');
  return secrets.map((secret) => signOnce(`${id}.${seconds}.`, body, secret)).join(' ');
}

function signOnce(start: string, body: Uint8Array, secret: string): string {
  const hmacKey = hmacKeyOf(secret);
  if (hmacKey) return `v1,${createHmac('sha256', hmacKey).update(start).update(body).digest('base64')}`;
  // 32 bytes are the bare seed, 64 the seed and the public key; Standard Webhooks libraries use both.
  const bytes = decodeKey(secret, 'whsk_');
  if (bytes === null || (bytes.length !== 32 && bytes.length !== 64)) {
    throw new TypeError('A signing secret is whsec_ or whsk_ followed by padded base64 of the right length');
  }
  const key = Buffer.concat([PKCS8_ED25519, bytes.subarray(0, 32)]);
  const signed = Buffer.concat([Buffer.from(start), body]);
  const signature = sign(null, signed, createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  return `v1a,${signature.toString('base64')}`;
}

/** Undefined for anything but `whsec_…`. */
function hmacKeyOf(secret: string): KeyObject | undefined {
  const kept = hmacKeys.get(secret);
  if (kept || !isWebhookSecret(secret)) return kept;
  const key = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
  if (hmacKeys.size >= HMAC_KEY_COUNT_MAX) hmacKeys.clear();
  hmacKeys.set(secret, key);
  return key;
}

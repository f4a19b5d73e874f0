import {
  decodeKey,
  type KeyBytes,
  type VerificationKey,
  verificationKeys,
  WebhookVerificationError,
} from './verification-keys.ts';

export { WebhookVerificationError, type WebhookVerificationReason } from './verification-keys.ts';

/** Headers as given by Fetch (`request.headers`) or Node (`req.headers`). Names match in any case. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** A body as it came: its bytes, or their text. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** What a receiver knows about an incoming webhook. */
export type VerifyWebhookOptions = {
  readonly headers: ReceivedHeaders;
  /**
   * The body exactly as received, before any JSON parsing: parsed and serialised again it has another signature. A
   * string is encoded as UTF-8.
   */
  readonly body: RawBody;
  /** Largest accepted distance between the timestamp and `now`, either way, in seconds. Defaults to 300. */
  readonly toleranceSeconds?: number;
  /** The receiver's clock, for tests. Defaults to the current time. */
  readonly now?: Date;
} & (
  | { readonly secret: string; readonly secrets?: never }
  | {
      /** Both secrets during a rotation; one match suffices. `whsec_…` verifies `v1`, `whpk_…` verifies `v1a`. */
      readonly secrets: readonly string[];
      readonly secret?: never;
    }
);

/** A webhook whose signature and age were verified. */
export interface VerifiedWebhook {
  /** The message id, the same on every attempt: the key to deduplicate on. */
  readonly id: string;
  /** When this attempt was sent. */
  readonly timestamp: Date;
}

/**
 * Proves that a webhook came from the holder of the secret, unchanged and recently. Web Crypto only: the same
 * code runs in Node 20, browsers, Deno, Bun and edge runtimes.
 *
 * @throws WebhookVerificationError with the `reason`; answer the sender 400 or 401, and 500 for `bad_secret` and
 * `bad_body`, which are faults of the receiver.
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<VerifiedWebhook> {
  const keys = await verificationKeys(options.secrets ?? [options.secret]);
  const body = bytesOf(options.body);
  const id = readHeader(options.headers, WEBHOOK_HEADERS.id);
  const seconds = readHeader(options.headers, WEBHOOK_HEADERS.timestamp);
  const signatures = readHeader(options.headers, WEBHOOK_HEADERS.signature);
  const timestamp = readTimestamp(seconds, options);
  const signed = joinSigned(`${id}.${seconds}.`, body);
  if (!(await anySignatureMatches(signatures, keys, signed))) {
    throw new WebhookVerificationError('no_matching_signature', 'No signature of the webhook matches');
  }
  return { id, timestamp };
}

function readHeader(headers: ReceivedHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  // A repeated header cannot be distinguished from a forged one; joined, it matches no signature.
  const text = typeof value === 'string' ? value : (value ?? []).join(' ');
  if (text === '') throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
  return text;
}

function isFetchHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

function readTimestamp(
  text: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions,
): Date {
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError(
      'bad_timestamp',
      'The webhook timestamp is not a number of Unix seconds',
    );
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(text);
  // Written so that a NaN clock or tolerance refuses.
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_too_old', 'The webhook was sent too long ago');
  }
  if (!(ageSeconds >= -toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_in_future', 'The webhook was sent in the future');
  }
  return new Date(Number(text) * 1000);
}

/** By name, since a test runner's realm has an ArrayBuffer of its own. */
const ARRAY_BUFFER = /^\[object (?:Shared)?ArrayBuffer\]$/;

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (ARRAY_BUFFER.test(Object.prototype.toString.call(body))) return new Uint8Array(body as ArrayBuffer);
  throw new WebhookVerificationError('bad_body', 'Pass the raw body, before any JSON parsing');
}

function joinSigned(prefix: string, tail: Uint8Array): KeyBytes {
  const head = new TextEncoder().encode(prefix);
  const signed = new Uint8Array(head.length + tail.length);
  signed.set(head);
  signed.set(tail, head.length);
  return signed;
}

/**
 * Web Crypto compares in constant time (`===` on the text would reveal how many characters a forger got right), and
 * every pair is compared, even after a match.
 */
async function anySignatureMatches(
  header: string,
  keys: VerificationKey[],
  signed: KeyBytes,
): Promise<boolean> {
  const checks = header.split(' ').flatMap((entry) => {
    const comma = entry.indexOf(',');
    const signature = decodeKey(entry.slice(comma + 1), '');
    if (signature === null) return [];
    return keys
      .filter(({ version }) => version === entry.slice(0, comma))
      .map(({ key }) => crypto.subtle.verify(key.algorithm.name, key, signature, signed));
  });
  return (await Promise.all(checks)).includes(true);
}

/**
 * The header names that deliveries carry, in lower case as sent. The first three are those of Standard Webhooks
 * 1.0.
 *
 * - `id`: the message's id, the same on every attempt: deduplicate on it.
 * - `timestamp`: Unix seconds of this attempt, not of the message.
 * - `signature`: one or more signatures over `id.timestamp.body`, separated by spaces.
 * - `verificationVersion`: the version of the result, a decimal counting up from 1. It is not signed, and a correction
 *   has its own message id: use it only to distinguish a late first version from its correction.
 * - `verificationBenefits`: where the benefits of this version are read, as the path of a GET; absent where it came
 *   without. Not signed: read it at the service that you know, never at another host.
 */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  verificationVersion: 'verification-version',
  verificationBenefits: 'verification-benefits',
} as const;

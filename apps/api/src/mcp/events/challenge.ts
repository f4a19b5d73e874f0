import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type SendResult,
  signWebhook,
  WEBHOOK_HEADERS,
  type WebhookSender,
} from '@insurance-verification/webhook';
import { SUBSCRIPTION_HEADER } from '../../delivery/worker/send-claimed.ts';

/** Why a callback address was not accepted, in the specification's words. */
export type CallbackFault =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

interface Challenged {
  readonly url: string;
  readonly secret: string;
  readonly subscription: string;
}

/**
 * Asks a callback address whether it wants these posts: it returns a random text that only its owner reads. Otherwise a
 * client could have events posted to anyone.
 * @returns null when it does. What else it answered is not reported: a client would read any address through us.
 */
export async function challenge(
  sender: WebhookSender,
  { url, secret, subscription }: Challenged,
): Promise<CallbackFault | null> {
  const nonce = randomBytes(32).toString('base64url');
  const id = `msg_verification_${randomBytes(12).toString('hex')}`;
  const timestamp = new Date();
  const body = Buffer.from(JSON.stringify({ type: 'verification', challenge: nonce }));
  const result = await sender.send({
    url,
    headers: {
      'content-type': 'application/json',
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: String(Math.floor(timestamp.getTime() / 1000)),
      [WEBHOOK_HEADERS.signature]: signWebhook({ id, timestamp, body, secrets: [secret] }),
      [SUBSCRIPTION_HEADER]: subscription,
    },
    body,
  });
  if (result.outcome !== 'succeeded') return faultOf(result);
  return isEcho(result.responseSnippet, nonce) ? null : 'challenge_failed';
}

function isEcho(answer: Uint8Array | null, nonce: string): boolean {
  let said: unknown;
  try {
    said = (JSON.parse(Buffer.from(answer ?? []).toString()) as { challenge?: unknown } | null)?.challenge;
  } catch {
    return false; // it is not JSON
  }
  const given = Buffer.from(typeof said === 'string' ? said : '');
  return given.length === nonce.length && timingSafeEqual(given, Buffer.from(nonce));
}

function faultOf({ outcome, statusCode }: SendResult): CallbackFault {
  if (outcome === 'timeout') return 'timeout';
  if (outcome === 'tls_failed') return 'tls_error';
  if (statusCode === null) return 'connection_refused';
  return statusCode >= 500 ? 'http_5xx' : 'http_4xx';
}

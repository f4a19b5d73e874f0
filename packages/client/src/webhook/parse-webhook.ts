import {
  type PayerNames,
  type ResponseModel,
  toValidationErrors,
  WebhookEvent,
} from '@insurance-verification/schema';
import {
  type RawBody,
  type VerifyWebhookOptions,
  verifyWebhook,
  WEBHOOK_HEADERS,
} from '@insurance-verification/webhook/verify';
import * as z from 'zod';
import { WebhookContentError } from '../errors.ts';
import { readHeader } from './read-header.ts';
import { resultSchemaOf } from './result-schema.ts';

/** What a receiver knows about an incoming webhook and the service that sends it. */
export type ParseWebhookOptions<P extends PayerNames = PayerNames> = VerifyWebhookOptions & {
  /** The service's payers, for literal types; a result with another payer is then refused. Defaults to any string. */
  readonly payers?: P | undefined;
};

/** A webhook whose signature, age and content were verified. */
export interface ParsedWebhook<P extends PayerNames = PayerNames> {
  /** The message id, the same on every attempt: the key to deduplicate on. */
  readonly id: string;
  /** When this attempt was sent. */
  readonly timestamp: Date;
  /**
   * The version of the result, from 1; a correction is a new message with the next version. Messages arrive in any
   * order: keep the highest. The header is not signed; null when it was removed in transit.
   */
  readonly version: number | null;
  /** The result: the current request and the coverages found for it. */
  readonly result: ResponseModel<P>;
}

/**
 * Verifies a webhook and reads its result. Deduplicate on `id`, and answer 2xx once the result is stored.
 *
 * @throws WebhookVerificationError when it is not proven to be the service's; answer 400 or 401, and 500 for
 * `bad_secret` and `bad_body`.
 * @throws WebhookContentError when it is the service's, but its body is not a result.
 */
export async function parseWebhook<const P extends PayerNames = PayerNames>(
  options: ParseWebhookOptions<P>,
): Promise<ParsedWebhook<P>> {
  const { id, timestamp } = await verifyWebhook(options);
  const body = parseBody(options.body, 'verificationResult');
  const { data, error } = resultSchemaOf<P>(options.payers).safeParse(body);
  if (error) throw new WebhookContentError(toValidationErrors(error.issues, body));
  return { id, timestamp, version: versionOf(options), result: data };
}

/** Types and ids that this version does not know are passed through, like those of answers. */
const OpenEvent = WebhookEvent.extend({ type: z.string(), data: z.looseObject({}) });

/**
 * Verifies a webhook that was posted to an endpoint, and reads its event. Deduplicate on `event.id`, and answer 2xx once
 * the event is stored. The service may send types that this version does not know: ignore those.
 *
 * @throws WebhookVerificationError when it is not proven to be the service's; answer 400 or 401, and 500 for
 * `bad_secret` and `bad_body`.
 * @throws WebhookContentError when it is the service's, but its body is not an event.
 */
export async function parseEvent(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  await verifyWebhook(options);
  const body = parseBody(options.body, 'event');
  const { data, error } = OpenEvent.safeParse(body);
  if (error) throw new WebhookContentError(toValidationErrors(error.issues, body), 'event');
  return data as WebhookEvent;
}

function parseBody(body: RawBody, operation: 'verificationResult' | 'event'): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body as Uint8Array),
    );
  } catch {
    // Not passed as the cause: the runtime's text repeats part of the body.
    throw new WebhookContentError(
      [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }],
      operation,
    );
  }
}

function versionOf({ headers }: VerifyWebhookOptions): number | null {
  const text = readHeader(headers, WEBHOOK_HEADERS.verificationVersion);
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

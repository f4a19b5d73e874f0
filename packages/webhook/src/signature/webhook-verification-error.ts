/**
 * Why a webhook was refused.
 *
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is absent or empty.
 * - `bad_timestamp`: the timestamp is not a whole number of Unix seconds.
 * - `timestamp_too_old`, `timestamp_in_future`: outside the tolerance; a replay, or a wrong clock.
 * - `no_matching_signature`: the body was changed, or it was signed with another secret.
 * - `bad_body`: what was given is no body as it came: the object that a framework parsed, or nothing.
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

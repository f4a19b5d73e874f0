export {
  createAddressGuard,
  type AddressGuard,
  type AddressGuardOptions,
} from './address/create-address-guard.ts';
export { isLoopbackHost } from './address/is-loopback-host.ts';
export {
  planAfterAttempt,
  type AttemptPlan,
  type ExhaustedReason,
  type PlanAfterAttemptOptions,
} from './retry/plan-after-attempt.ts';
export {
  DEFAULT_RETRY_SCHEDULE,
  DEFAULT_RETRY_SCHEDULE_TEXT,
  firstDelaySeconds,
  type RetrySchedule,
  parseRetrySchedule,
} from './retry/retry-schedule.ts';
export { createUrlCheck, type UrlRefusal } from './sending/create-url-check.ts';
export { createWebhookSender } from './sending/create-webhook-sender.ts';
export type { AttemptOutcome, SendResult } from './sending/send-result.ts';
export type { WebhookMessage, WebhookSender, WebhookSenderOptions } from './sending/webhook-sender.ts';
export { createWebhookKeyPair, type WebhookKeyPair } from './signature/create-webhook-key-pair.ts';
export { createWebhookSecret } from './signature/create-webhook-secret.ts';
export { isWebhookSecret } from './signature/is-webhook-secret.ts';
export { signWebhook, type SignWebhookOptions } from './signature/sign-webhook.ts';
export {
  verifyWebhook,
  type RawBody,
  type ReceivedHeaders,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
} from './signature/verify-webhook.ts';
export { WEBHOOK_HEADERS } from './signature/webhook-headers.ts';
export {
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './signature/webhook-verification-error.ts';

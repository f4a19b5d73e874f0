export {
  createAddressGuard,
  type AddressGuard,
  type AddressGuardOptions,
  isLoopbackHost,
} from './address-guard.ts';
export {
  planAfterAttempt,
  type AttemptPlan,
  type ExhaustedReason,
  type PlanAfterAttemptOptions,
  DEFAULT_RETRY_SCHEDULE,
  DEFAULT_RETRY_SCHEDULE_TEXT,
  firstDelaySeconds,
  type RetrySchedule,
  parseRetrySchedule,
} from './plan-retries.ts';
export { createUrlCheck, type UrlRefusal } from './url-check.ts';
export {
  createWebhookSender,
  type WebhookMessage,
  type WebhookSender,
  type WebhookSenderOptions,
} from './send.ts';
export { assertDescriptors, HostShortageError, type ShortageCode, shortageOf } from './shortage.ts';
export type { AttemptOutcome, SendResult } from './outcome.ts';
export { createWebhookKeyPair, type WebhookKeyPair, createWebhookSecret } from './create-keys.ts';
export {
  isWebhookSecret,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verification-keys.ts';
export { signWebhook, type SignWebhookOptions } from './sign.ts';
export {
  verifyWebhook,
  type RawBody,
  type ReceivedHeaders,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  WEBHOOK_HEADERS,
} from './verify.ts';

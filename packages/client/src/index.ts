export { createTrpcClient, withCreateHeaders, withIdempotencyKey } from './trpc/create-trpc-client.ts';
export type { CreateHeaders } from './create-headers.ts';
export { isTrpcError } from './trpc/is-trpc-error.ts';
export type { TrpcCallOptions, TrpcClient, TrpcError } from './trpc/trpc-client.ts';
export { createRestClient, type RestClientOptions } from './rest/create-rest-client.ts';
export type {
  BatchFileOptions,
  BatchOptions,
  CallOptions,
  CreateOptions,
  RestClient,
} from './rest/rest-client.ts';
export type { ClientOptions } from './open-connection.ts';
export type { AppRouter, RouterInputs, RouterOutputs, TrpcErrorData, TrpcErrorShape } from './router.ts';
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  InsuranceVerificationError,
  NotFoundError,
  PayloadTooLargeError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  type LeftBatch,
  UnexpectedAnswerError,
  UnusableInputError,
  ValidationFailedError,
  WebhookContentError,
} from './errors.ts';
export {
  type ParsedWebhook,
  parseEvent,
  parseWebhook,
  type ParseWebhookOptions,
} from './webhook/parse-webhook.ts';
export {
  type RawBody,
  type ReceivedHeaders,
  type VerifiedWebhook,
  verifyWebhook,
  type VerifyWebhookOptions,
  WEBHOOK_HEADERS,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '@insurance-verification/webhook/verify';

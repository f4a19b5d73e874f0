import type {
  AttemptOutcome,
  AttemptResult,
  DeliveryStatus,
  ErasedBecause,
  EventType,
  RequestAnswer,
  RequestState,
  VerificationSource,
} from '@insurance-verification/schema';
import type { Tone } from '../look/mark.tsx';

export type Words = Readonly<{ tone: Tone; word: string }>;

export const STATES: Readonly<Record<RequestState, Words>> = {
  pending: { tone: 'wait', word: 'Pending' },
  complete: { tone: 'good', word: 'Complete' },
  error_verifying: { tone: 'warn', word: 'Could not verify' },
  error_sending_webhook: { tone: 'bad', word: 'Not delivered' },
};

export const ANSWERS: Readonly<Record<RequestAnswer, Words>> = {
  pending: { tone: 'wait', word: 'Pending' },
  active: { tone: 'good', word: 'Active' },
  inactive: { tone: 'bad', word: 'Inactive' },
  unstated: { tone: 'warn', word: 'Eligibility not stated' },
  not_verified: { tone: 'warn', word: 'Could not verify' },
};

/** In place of the answer, where the clinic needs none any more. */
export const WITHDRAWN: Words = { tone: 'quiet', word: 'Withdrawn' };

export const CHANNELS: Readonly<Record<VerificationSource, string>> = {
  manual_web_portal: 'Portal, by a person',
  manual_phone_call: 'Phone, by a person',
  agent_web_portal: 'Portal, by an agent',
  agent_phone_call: 'Phone, by an agent',
  api: 'API',
};

export const ATTEMPTS: Readonly<Record<AttemptResult, Words>> = {
  working: { tone: 'wait', word: 'Under way' },
  succeeded: { tone: 'good', word: 'Verified' },
  failed: { tone: 'warn', word: 'Could not verify' },
  released: { tone: 'quiet', word: 'Released' },
  call_back: { tone: 'quiet', word: 'Call back later' },
  lease_expired: { tone: 'warn', word: 'Lease expired' },
  timed_out: { tone: 'warn', word: 'Not taken in time' },
  superseded: { tone: 'quiet', word: 'Answered in another way' },
  held: { tone: 'wait', word: 'Waits for a person’s look' },
};

export const DELIVERIES: Readonly<Record<DeliveryStatus, Words>> = {
  pending: { tone: 'wait', word: 'On its way' },
  delivered: { tone: 'good', word: 'Delivered' },
  exhausted: { tone: 'bad', word: 'Given up' },
  superseded: { tone: 'quiet', word: 'Replaced by a newer version' },
  erased: { tone: 'quiet', word: 'Erased before it was sent' },
};

export const SENDINGS: Readonly<Record<AttemptOutcome, string>> = {
  succeeded: 'Accepted by the receiver',
  http_error: 'The receiver answered an error',
  redirected: 'The receiver redirected, which is not followed',
  gone: 'The receiver said it is gone',
  timeout: 'No answer in time',
  connection_failed: 'No connection',
  tls_failed: 'The certificate is not valid',
  dns_failed: 'The name has no address',
  blocked_address: 'The address is not allowed',
  worker_lost: 'The sender stopped under way',
};

export const EVENTS: Readonly<Record<EventType, string>> = {
  'request.answered': 'Request answered',
  'request.failed': 'Request failed',
  'result.corrected': 'Result corrected',
  'request.overdue': 'Request overdue',
  'request.held': 'Output held',
  'payer.unavailable': 'Payer does not answer',
  'payer.recovered': 'Payer answers again',
  'batch.ended': 'Batch ended',
  'delivery.exhausted': 'Delivery given up',
  'endpoint.failing': 'Endpoint fails',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.test': 'Endpoint tested',
  'webhook_secret.rotated': 'Webhook secret replaced',
  'key.expiring': 'Key ends soon',
};

/** Why the data of a request is gone: the choice of who asks, and the end of “The data was erased on …,”. */
export const ERASED: Readonly<Record<ErasedBecause, { readonly word: string; readonly because: string }>> = {
  retention: { word: 'Retention over', because: 'when its retention was over' },
  wrong_patient: { word: 'Wrong patient', because: 'because it was about the wrong patient' },
  wrong_recipient: { word: 'Wrong recipient', because: 'because it went to the wrong recipient' },
  posted_twice: { word: 'Posted twice', because: 'because it was posted twice' },
  patient_asked: { word: 'The patient asked', because: 'because the patient asked for it' },
  not_authorized: { word: 'Asked without permission', because: 'because it was asked without permission' },
};

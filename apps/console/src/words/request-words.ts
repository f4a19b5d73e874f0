import type {
  AttemptOutcome,
  AttemptResult,
  DeliveryStatus,
  RequestState,
  VerificationSource,
} from '@insurance-verification/schema';
import type { Tone } from '../look/mark.tsx';

export type Words = Readonly<{ tone: Tone; word: string }>;

export const STATES: Readonly<Record<RequestState, Words>> = {
  pending: { tone: 'wait', word: 'Pending' },
  complete: { tone: 'good', word: 'Complete' },
  error_verifying: { tone: 'warn', word: 'Could not find out' },
  error_sending_webhook: { tone: 'bad', word: 'Not delivered' },
};

export const CHANNELS: Readonly<Record<VerificationSource, string>> = {
  manual_web_portal: 'Portal, by a person',
  manual_phone_call: 'Phone, by a person',
  agent_web_portal: 'Portal, by an agent',
  agent_phone_call: 'Phone, by an agent',
  api: 'API',
};

export const ATTEMPTS: Readonly<Record<AttemptResult, Words>> = {
  working: { tone: 'wait', word: 'Under way' },
  succeeded: { tone: 'good', word: 'Found out' },
  failed: { tone: 'warn', word: 'Could not find out' },
  released: { tone: 'quiet', word: 'Given back' },
  lease_expired: { tone: 'warn', word: 'Lease ran out' },
  timed_out: { tone: 'warn', word: 'Nobody took it in time' },
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
  succeeded: 'The receiver took it',
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

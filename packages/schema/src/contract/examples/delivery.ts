import type { DeliveryAttempt } from '../../delivery/delivery-attempt.ts';
import type { DeliverySummary } from '../deliveries.ts';
import { EXAMPLE_IDS } from './ids.ts';

/** The example's first result, which its receiver took at the second attempt. */
export const exampleDelivery: DeliverySummary = {
  delivery_id: EXAMPLE_IDS.delivery,
  request_id: EXAMPLE_IDS.request,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  payer: 'Northwind Health',
  patient_initials: 'J. D.',
  version: 1,
  status: 'delivered',
  reason: null,
  host: 'billing.example:443',
  accepted_at: '2026-11-20T10:15:00.000Z',
  done_at: '2026-11-20T10:15:05.521Z',
  next_attempt_at: null,
  paused_since: null,
  attempt_count: 2,
  last_attempt_at: '2026-11-20T10:15:05.480Z',
  last_outcome: 'succeeded',
  last_status_code: 204,
};

export const exampleAttempts: DeliveryAttempt[] = [
  {
    number: 1,
    at: '2026-11-20T10:15:00.120Z',
    outcome: 'http_error',
    status_code: 500,
    duration_ms: 84,
    response_snippet: 'Internal Server Error',
  },
  {
    number: 2,
    at: '2026-11-20T10:15:05.480Z',
    outcome: 'succeeded',
    status_code: 204,
    duration_ms: 41,
    response_snippet: '',
  },
];

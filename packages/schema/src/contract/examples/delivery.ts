import type { DeliveryAttempt } from '../../delivery.ts';
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

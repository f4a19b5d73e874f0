import type * as z from 'zod';
import { enumeration } from '../model.ts';

/** The outcome of a delivery attempt, as a class: never an address or an error text. */
export const AttemptOutcome = enumeration('AttemptOutcome', 'How one delivery attempt ended.', [
  'succeeded',
  'http_error',
  'redirected',
  'gone',
  'timeout',
  'connection_failed',
  'tls_failed',
  'dns_failed',
  'blocked_address',
  'worker_lost',
]);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

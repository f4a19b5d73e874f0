import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * How one attempt at a verification stands. `working`: leased now. `lease_expired`: its verifier went silent.
 * `timed_out`: nobody took the request in the time its channel allows. `superseded`: the request got its outcome in
 * another way while the lease held.
 */
export const AttemptResult = enumeration('AttemptResult', 'How one attempt at a verification stands.', [
  'working',
  'succeeded',
  'failed',
  'released',
  'lease_expired',
  'timed_out',
  'superseded',
]);
/** {@link AttemptResult} as a type. */
export type AttemptResult = z.infer<typeof AttemptResult>;

import type * as z from 'zod';
import { enumeration } from '../../model.ts';

/**
 * The state of one verification attempt. `working`: leased now. `lease_expired`: its verifier went silent. `timed_out`:
 * no verifier took the request within its channel's time. `superseded`: the request got its outcome another way while the
 * lease held. `held`: what an agent found waits for a person's look, or was dismissed by it.
 */
export const AttemptResult = enumeration('AttemptResult', 'The state of one attempt at a verification.', [
  'working',
  'succeeded',
  'failed',
  'released',
  'lease_expired',
  'timed_out',
  'superseded',
  'held',
]);
export type AttemptResult = z.infer<typeof AttemptResult>;

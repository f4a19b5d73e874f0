import * as z from 'zod';
import { model } from '../../model.ts';
import { leaseToken } from './lease-token.ts';

/** Begins a phone call with the payer, or the reading of its portal (`work.startCall`). */
export const StartCall = model('StartCall', 'Says where the verifier asks the payer now.', {
  lease_token: leaseToken(),
  place: z.enum(['phone', 'portal']).optional().meta({
    description:
      "phone: on the phone with the payer, for 90 minutes at most. portal: reading in the payer's portal, for 30. phone when absent.",
  }),
});
/** {@link StartCall} as a type. */
export type StartCall = z.infer<typeof StartCall>;

import * as z from 'zod';
import { list } from '../../field/list.ts';
import { model } from '../../model.ts';
import { VerificationSource } from '../verification-source.ts';

/** Leases one named request: the input of `work.claimRequest` besides its id. */
export const ClaimRequest = model('ClaimRequest', 'Leases one named request.', {
  channels: list(VerificationSource).min(1).meta({
    description: 'The channels the verifier works, at least one; the request must wait for one of them.',
  }),
  take_over: z.boolean().optional().meta({
    description:
      "True takes over the caller's own lease, as after its program or its browser ended: the old lease_token is void. Otherwise a request that the caller itself holds is refused like any leased one.",
  }),
});
/** {@link ClaimRequest} as a type. */
export type ClaimRequest = z.infer<typeof ClaimRequest>;

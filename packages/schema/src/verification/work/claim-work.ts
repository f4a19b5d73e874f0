import * as z from 'zod';
import { list } from '../../field/list.ts';
import type { createPayer } from '../../intake/info/payer.ts';
import { model } from '../../model.ts';
import type { PayerNames } from '../../payers.ts';
import { VerificationSource } from '../verification-source.ts';

/** What a verifier can work on (`work.claim`). */
export function createClaimWork<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('ClaimWork', 'What a verifier can work on.', {
    channels: list(VerificationSource)
      .min(1)
      .meta({ description: 'The channels the verifier works, at least one.' }),
    payers: list(payer)
      .min(1)
      .optional()
      .meta({ description: 'Only requests for these payers; absent means all.' }),
    max: z.int().min(1).max(50).default(1).meta({
      description: 'How many requests to lease at most, 1 to 50; large ones come in smaller numbers.',
    }),
    wait_seconds: z
      .int()
      .min(0)
      .max(25)
      .default(0)
      .meta({ description: 'How long to wait for work to arrive, 0 to 25 seconds.' }),
  });
}

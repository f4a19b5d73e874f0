import * as z from 'zod';
import { model } from '../../model.ts';
import type { PayerNames } from '../../payers.ts';
import type { createPayer } from './payer.ts';

/** The payer to ask. */
export function createPayerInfo<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('PayerInfo', 'The payer that is asked.', {
    name: payer.meta({ description: 'The payer plan to verify with.' }),
    phone_number: z.string().nullable().optional().meta({
      description:
        "The payer's phone number, free text. Verifiers see it as not checked and call the configured one.",
    }),
  });
}

import * as z from 'zod';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { VerificationSource } from '../verification/verification-source.ts';

const id = () =>
  z
    .string()
    .max(200)
    .refine((text) => /^[\w-]+$/.test(text), 'Input should be an id: letters, digits, _ and -');

const ids = () => list(id()).min(1).max(50);

/** What a verifier is kept to. */
export const VerifyWithin = model(
  'VerifyWithin',
  'What a verifier is kept to: requests that meet each of the lists.',
  {
    payer_ids: ids().nullable().optional().meta({
      description: 'The ids of the only payers, 1 to 50; null or absent: every payer.',
    }),
    channels: list(VerificationSource).min(1).nullable().optional().meta({
      description: 'The only channels to work in; null or absent: every channel.',
    }),
    account_ids: ids().nullable().optional().meta({
      description: 'The only accounts whose requests to work on, 1 to 50; null or absent: every account.',
    }),
  },
);
export type VerifyWithin = z.infer<typeof VerifyWithin>;

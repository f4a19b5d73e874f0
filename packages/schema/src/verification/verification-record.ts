import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { model } from '../model.ts';
import { VerificationSource } from './insurance-plan-data.ts';

/**
 * Who asked the payer for a result, and when. A correction keeps the record of the result that it corrects, with the
 * reference and the representative that it gives itself, if any.
 */
export const VerificationRecord = model('VerificationRecord', 'Who asked the payer, and when.', {
  verified_by: z.string().nullable().meta({
    description: 'The key or person; null for the payer’s API and a sender without a key.',
  }),
  verified_by_name: z.string().nullable().meta({ description: 'Their name; null without one.' }),
  started_at: dateTime().meta({ description: 'When it began.' }),
  ended_at: dateTime().meta({ description: 'When the answer was submitted.' }),
  channel: VerificationSource.nullable().meta({ description: 'How the payer was asked.' }),
  reference: z.string().nullable().meta({ description: "The payer's reference number; null when none." }),
  representative: z.string().nullable().meta({ description: "The payer's representative; null when none." }),
});
export type VerificationRecord = z.infer<typeof VerificationRecord>;

/** How the verifier of a result, whom its record names, corrected it: only they can. */
export const ResultCorrection = model('ResultCorrection', 'A correction by the verifier.', {
  corrected_at: dateTime().meta({ description: 'When it was submitted.' }),
  reason: z.string().nullable().meta({ description: 'Why; null once the data is erased.' }),
});
export type ResultCorrection = z.infer<typeof ResultCorrection>;

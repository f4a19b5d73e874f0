import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { model } from '../model.ts';
import { VerificationSource } from './insurance-plan-data.ts';

/** Who asked the payer for a result, and when; a correction keeps the record of the result that it corrects. */
export const VerificationRecord = model('VerificationRecord', 'Who asked the payer for a result, and when.', {
  verified_by: z.string().nullable().meta({
    description: 'The key or person; null for the payer’s API, the sandbox and a sender without a key.',
  }),
  verified_by_name: z.string().nullable().meta({ description: 'Their name; null where there is none.' }),
  started_at: dateTime().meta({ description: 'From when.' }),
  ended_at: dateTime().meta({ description: 'Until when: the answer was submitted.' }),
  channel: VerificationSource.nullable().meta({ description: 'How; null for an output that did not say.' }),
  reference: z.string().nullable().meta({
    description: 'The payer’s reference number, of the last correction that gives one; null when none.',
  }),
  representative: z.string().nullable().meta({
    description:
      'The name of the payer’s representative, of the last correction that gives one; null when none.',
  }),
});
export type VerificationRecord = z.infer<typeof VerificationRecord>;

/** How a verifier corrected their own result. */
export const ResultCorrection = model('ResultCorrection', 'How a verifier corrected their own result.', {
  corrected_by: z.string().nullable().meta({ description: 'The key or person; null for the sandbox.' }),
  corrected_by_name: z.string().nullable().meta({ description: 'Their name; null where there is none.' }),
  corrected_at: dateTime().meta({ description: 'When they submitted it.' }),
  reason: z.string().nullable().meta({ description: 'Why; null once the data is erased.' }),
});
export type ResultCorrection = z.infer<typeof ResultCorrection>;

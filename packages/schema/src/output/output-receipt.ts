import * as z from 'zod';
import { wholeNumber } from '../field/whole-number.ts';
import { enumeration, model } from '../model.ts';
import { HeldReason } from './held-reason.ts';

/** The disposition of an output. A caller without a `verify` key only ever sees `received`. */
export const OutputStatus = enumeration('OutputStatus', 'What became of an output.', [
  'received',
  'applied',
  'unchanged',
  'progress',
  'held',
  'erased',
]);
export type OutputStatus = z.infer<typeof OutputStatus>;

/** The answer to an output, always with status 200 (`verificationOutput.submit`). */
export const OutputReceipt = model('OutputReceipt', 'What became of an output.', {
  status: OutputStatus.meta({
    description:
      'received for callers without a verify key; else what became of it. erased: it names a request that was erased, and was not stored.',
  }),
  version: wholeNumber()
    .optional()
    .meta({ description: 'The version of the result, from 1; present when applied.' }),
  reason: HeldReason.optional().meta({ description: 'Why it was held; present when held.' }),
  held_id: z.string().optional().meta({ description: 'The id of the held output; present when held.' }),
});
export type OutputReceipt = z.infer<typeof OutputReceipt>;

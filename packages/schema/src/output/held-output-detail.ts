import * as z from 'zod';
import { CoverageBenefits } from '../benefits/request-benefits.ts';
import { list } from '../field/list.ts';
import { enumeration, model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { heldOutputShape } from './held-output.ts';
import type { createResponseModel } from './response-model.ts';

/** Whether a held output is still waiting, or what an operator did with it. */
export const HeldStatus = enumeration(
  'HeldStatus',
  'Whether a held output still waits, or what was done with it.',
  ['held', 'applied', 'dismissed'],
);
export type HeldStatus = z.infer<typeof HeldStatus>;

/** One held output with its body (`heldOutputs.get`). */
export function createHeldOutputDetail<P extends PayerNames>(
  responseModel: ReturnType<typeof createResponseModel<P>>,
) {
  return model('HeldOutputDetail', 'One held output with its body.', {
    ...heldOutputShape,
    status: HeldStatus.meta({ description: 'Whether it still waits.' }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'What the operator noted when dismissing it; null when nothing.' }),
    output: responseModel.meta({ description: 'The output as it was received, known fields only.' }),
    benefits: list<z.ZodType<CoverageBenefits>>(CoverageBenefits).optional().meta({
      description:
        'What an agent submitted with it, one for each entry of insurance_data, as `requests.benefits` will have it; absent when it came without, and once it is dismissed.',
    }),
  });
}

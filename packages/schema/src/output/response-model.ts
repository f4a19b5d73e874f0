import * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import type { createRequestModel } from '../intake/request-view.ts';
import { enumeration, model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import type { createInsurancePlanData } from '../verification/insurance-plan-data.ts';
import { HeldReason } from './held-output.ts';

/** A verification result: the body of Verification Output and of the webhook. */
export function createResponseModel<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
  insurancePlanData: ReturnType<typeof createInsurancePlanData<P>>,
) {
  return model('ResponseModel', 'A verification result: the request and the coverages found for it.', {
    request: requestModel.meta({ description: 'The request the result answers.' }),
    insurance_data: list(insurancePlanData).meta({ description: 'The coverages found; may be empty.' }),
  });
}

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

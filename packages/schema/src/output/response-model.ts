import { list } from '../field/list.ts';
import type { createRequestModel } from '../intake/request-model.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import type { createInsurancePlanData } from '../verification/insurance-plan-data.ts';

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

import {
  createSchemas,
  defaultSchemas,
  list,
  type PayerNames,
  type ResponseModel,
} from '@insurance-verification/schema';
import * as z from 'zod';

/** The schema of a webhook's body; a payer is any string unless the names are given. */
export function resultSchemaOf<P extends PayerNames>(payers: P | undefined): z.ZodType<ResponseModel<P>> {
  const schema: z.ZodType = payers === undefined ? anyPayerResult : resultOver(payers);
  return schema as z.ZodType<ResponseModel<P>>;
}

let latest: { readonly name: string; readonly schema: z.ZodType } | undefined;

/**
 * Making the schemas takes 2.4 ms, more than everything else here; a receiver has one set of payers, so the last is
 * cached.
 */
function resultOver(payers: PayerNames): z.ZodType {
  const name = JSON.stringify(payers);
  if (latest?.name !== name) latest = { name, schema: createSchemas({ payers }).ResponseModel };
  return latest.schema;
}

const {
  InsurancePlanData,
  PayerInfo,
  PlanInfo,
  RequestInfo,
  RequestModel,
  ResponseModel: Result,
} = defaultSchemas;

const anyPayerResult: z.ZodType<ResponseModel> = Result.extend({
  request: RequestModel.extend({
    input: RequestInfo.extend({ payer_info: PayerInfo.extend({ name: z.string() }) }),
  }),
  insurance_data: list(
    InsurancePlanData.extend({ plan_info: PlanInfo.extend({ payer_name: z.string().optional() }) }),
  ),
});

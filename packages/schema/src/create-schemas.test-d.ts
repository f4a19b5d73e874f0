import { expectTypeOf } from 'vitest';
import type * as z from 'zod';
import type { Payer, RequestInfo } from './index.ts';
import {
  type CreateAccount,
  createJsonSchemas,
  createSchemas,
  type DEFAULT_PAYERS,
  type PayerNames,
  type RequestModel,
  type ResponseModel,
  type Schemas,
  type VerificationSource,
} from './index.ts';

const schemas = createSchemas({ payers: ['Plan A', 'Plan B', 'Plan C', 'Plan D'] });
type Plan = 'Plan A' | 'Plan B' | 'Plan C' | 'Plan D';

// Literal names reach every model that holds a payer.
expectTypeOf<z.infer<typeof schemas.Payer>>().toEqualTypeOf<Plan>();
expectTypeOf<z.infer<typeof schemas.RequestInfo>['payer_info']['name']>().toEqualTypeOf<Plan>();
expectTypeOf<
  z.infer<typeof schemas.ResponseModel>['insurance_data'][number]['plan_info']['payer_name']
>().toEqualTypeOf<Plan | undefined>();
expectTypeOf<
  z.infer<typeof schemas.RequestList>['items'][number]['input']['payer_info']['name']
>().toEqualTypeOf<Plan>();
expectTypeOf<Payer<typeof DEFAULT_PAYERS>>().toEqualTypeOf<
  'Payer Plan 1' | 'Payer Plan 2' | 'Payer Plan 3' | 'Payer Plan 4'
>();

// Without literal names a payer is a string: a service configured at run time.
expectTypeOf<Payer>().toEqualTypeOf<string>();
expectTypeOf<z.infer<Schemas['RequestModel']>>().toEqualTypeOf<RequestModel>();
expectTypeOf<z.infer<typeof schemas.ResponseModel>>().toExtend<ResponseModel>();
expectTypeOf(createSchemas<PayerNames>).returns.toEqualTypeOf<Schemas>();

// Input and output types are equal: no coercion, no transforms.
expectTypeOf<z.input<typeof RequestInfo>>().toEqualTypeOf<z.output<typeof RequestInfo>>();
expectTypeOf<RequestModel['received_timestamp']>().toEqualTypeOf<string>();
expectTypeOf<RequestModel['request_id']>().toEqualTypeOf<string | null>();
expectTypeOf<RequestModel['error_reason']>().toEqualTypeOf<string | null | undefined>();
expectTypeOf<RequestModel['input']['patient_info']['dob']>().toEqualTypeOf<string | undefined>();
expectTypeOf<CreateAccount['kind']>().toEqualTypeOf<'provider' | 'platform'>();
expectTypeOf<VerificationSource>().toEqualTypeOf<
  'manual_web_portal' | 'manual_phone_call' | 'agent_web_portal' | 'agent_phone_call' | 'api'
>();

// @ts-expect-error three names
createSchemas({ payers: ['a', 'b', 'c'] });
// @ts-expect-error five names
createJsonSchemas({ payers: ['a', 'b', 'c', 'd', 'e'] });

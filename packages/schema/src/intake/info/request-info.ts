import * as z from 'zod';
import { list } from '../../field/list.ts';
import { httpUrl } from '../../field/url/http-url.ts';
import { model } from '../../model.ts';
import type { PayerNames } from '../../payers.ts';
import { PatientInfo } from './patient-info.ts';
import type { createPayerInfo } from './payer-info.ts';
import { ProviderInfo } from './provider-info.ts';

/** What a client asks for: the body of Create Request. */
export function createRequestInfo<P extends PayerNames>(payerInfo: ReturnType<typeof createPayerInfo<P>>) {
  return model('RequestInfo', 'What a client asks for: the body of Create Request.', {
    patient_info: PatientInfo.meta({ description: 'The patient whose eligibility is verified.' }),
    payer_info: payerInfo.meta({ description: 'The payer that is asked.' }),
    provider_info: ProviderInfo.meta({ description: 'The provider on whose behalf the payer is asked.' }),
    cpt_code_coverage: list(z.string()).nullable().optional().meta({
      description: 'Procedure codes to check coverage for; null or absent asks for none.',
    }),
    callback_url: httpUrl().meta({
      description:
        'The http or https address the signed result is posted to, 1 to 2083 characters. Kept as it came where it is a URI (RFC 3986); else what browsers make of it.',
    }),
  });
}

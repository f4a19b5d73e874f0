import type { Schemas } from '../../create-schemas.ts';
import type { VerificationProof } from '../../default-schemas.ts';
import { exampleBenefits } from './benefits.ts';
import { EXAMPLE_IDS } from './ids.ts';
import { exampleOutput } from './output.ts';
import { exampleView } from './view.ts';
import { exampleCall } from './work.ts';

/** What the example's clinic files, who asked for it itself. */
export function exampleProof(schemas: Schemas): VerificationProof {
  const { request_id, account_id, received_timestamp, payer_id, payer, state, error_reason, ...view } =
    exampleView(schemas);
  const result = exampleOutput(schemas);
  return {
    request_id,
    account_id,
    account_name: 'Main Street Dental',
    received_timestamp,
    payer_id,
    payer,
    provider_info: result.request.input.provider_info,
    cpt_code_coverage: view.cpt_code_coverage,
    service_date: view.service_date,
    state,
    error_reason,
    version: 1,
    attempt: exampleCall,
    coverages: view.coverages,
    benefits: {
      ...exampleBenefits(schemas, {}),
      verification_source: 'manual_phone_call',
      service_date: view.service_date,
    },
    versions: view.versions,
    delivery: {
      delivery_id: EXAMPLE_IDS.delivery,
      status: 'delivered',
      accepted_at: '2026-11-20T10:15:05.521Z',
      status_code: 204,
    },
    digest: '1a6cc2b49621e61d10568119dc329831f1075a09c2dbf6803cca38bcd055eaab',
    seal: { seal: 312, sealed_at: '2026-11-20T10:15:07.204Z' },
    result,
  };
}

import type { Schemas } from '../../create-schemas.ts';
import type { RequestView } from '../../default-schemas.ts';
import type { RequestSummary } from '../../intake/request-view.ts';
import { exampleAttempts } from './delivery.ts';
import { EXAMPLE_IDS } from './ids.ts';
import { exampleOutput } from './output.ts';

/** The state of the example's request. */
const standing = {
  request_id: EXAMPLE_IDS.request,
  account_id: EXAMPLE_IDS.account,
  account_name: 'Main Street Dental',
  payer_id: 'northwind',
  payer: 'Northwind Health',
  received_timestamp: '2026-11-20T09:30:00.000Z',
  state: 'complete' as const,
  error_reason: null,
  channel: 'manual_phone_call' as const,
  erased_at: null,
  needed_by: '2026-11-20T17:00:00.000Z',
  overdue: false,
  service_date: '2026-12-03',
};

/** The example's request in a list. */
export const exampleSummary: RequestSummary = {
  ...standing,
  account_mode: 'live',
  patient_initials: 'J. D.',
  answer: 'active',
  answer_reason: null,
  held: false,
};

/** The example's request on its page, as an operator sees it at first. */
export function exampleView(schemas: Schemas): RequestView {
  const { request, insurance_data: coverages } = exampleOutput(schemas);
  const { payer_info: payer, provider_info, cpt_code_coverage: codes } = request.input;
  return {
    ...standing,
    patient_initials: 'J. D.',
    payer: payer.name,
    erased_because: null,
    holds: [],
    provider_info,
    cpt_code_coverage: codes ?? [],
    callback_host: 'clinic.example',
    coverages: coverages.map(({ verification_time, verification_source, plan_info }) => ({
      verification_time,
      verification_source,
      plan_info,
    })),
    versions: [
      {
        version: 1,
        outcome: 'complete',
        applied_at: '2026-11-20T10:15:00.000Z',
        applied_by: EXAMPLE_IDS.key,
        applied_by_name: 'Night shift',
        held_id: null,
        verification: {
          verified_by: EXAMPLE_IDS.key,
          verified_by_name: 'Night shift',
          started_at: '2026-11-20T10:02:00.000Z',
          ended_at: '2026-11-20T10:15:00.000Z',
          channel: 'manual_phone_call',
          reference: 'Call 88-1042',
          representative: null,
        },
        correction: null,
      },
    ],
    held_outputs: [],
    attempts: [],
    deliveries: [
      {
        delivery_id: EXAMPLE_IDS.delivery,
        version: 1,
        status: 'delivered',
        next_attempt_at: null,
        paused_since: null,
        attempts: exampleAttempts.map((attempt) => ({ ...attempt, response_snippet: null })),
      },
    ],
    exchanges: [],
    revealed: null,
  };
}

import type { InsurancePlanData, RequestModel, ResponseModel } from '@insurance-verification/schema';

/** Deviations from {@link anOutput}'s output. */
export type OutputChanges = Partial<Omit<RequestModel, 'request_id'>> & {
  request_id?: string | null;
  insurance_data?: InsurancePlanData[];
  /** The notes of its only coverage, to distinguish a test's outputs. */
  notes?: string;
};

/** A complete output for a request: one active coverage. Changes apply to its request block and its data. */
export function anOutput(
  request: RequestModel,
  { insurance_data, notes, ...changes }: OutputChanges = {},
): ResponseModel {
  return {
    request: { ...request, state: 'complete', ...changes },
    insurance_data: insurance_data ?? [aCoverage(request, notes === undefined ? {} : { notes })],
  };
}

/** A coverage of the request's patient. */
export function aCoverage(
  { input }: Pick<RequestModel, 'input'>,
  changes: Partial<InsurancePlanData> = {},
): InsurancePlanData {
  return {
    uuid: 'coverage-1',
    person_uuid: 'person-1',
    verification_time: '2026-11-20T10:00:00Z',
    verification_source: 'agent_web_portal',
    notes: 'Active in the portal.',
    patient_info: { subscriber_id: input.patient_info.subscriber_id },
    plan_info: {
      payer_name: input.payer_info.name,
      plan_name: 'Dental PPO',
      eligibility_status: 'Active',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      cpt_code_coverage: ['D0120'],
    },
    ...changes,
  };
}

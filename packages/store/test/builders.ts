import type {
  InsurancePlanData,
  RequestInfo,
  RequestModel,
  ResponseModel,
} from '@insurance-verification/schema';

export interface RequestFacts {
  readonly payer?: string;
  readonly subscriberId?: string;
  readonly dob?: string;
  readonly name?: string;
  readonly npi?: string;
  readonly callbackUrl?: string;
}

/** What a client asks for. */
export function aRequest(facts: RequestFacts = {}): RequestInfo {
  return {
    patient_info: {
      subscriber_id: facts.subscriberId ?? 'W123456789',
      dob: facts.dob ?? '1980-02-03',
      name: facts.name ?? 'Jane Roe',
      address: null,
    },
    payer_info: { name: facts.payer ?? 'Payer Plan 1' },
    provider_info: { npi: facts.npi ?? '1234567893', name: 'Clinic' },
    callback_url: facts.callbackUrl ?? 'https://receiver.example/hook',
  };
}

/** One coverage, of the patient of {@link aRequest} unless told otherwise. */
export function anEntry(entry: Partial<InsurancePlanData> = {}): InsurancePlanData {
  return {
    person_uuid: 'person-1',
    verification_time: '2026-01-02T03:04:05Z',
    verification_source: 'agent_web_portal',
    patient_info: { subscriber_id: 'W123456789', dob: '1980-02-03' },
    plan_info: { plan_name: 'Gold', eligibility_status: 'Active' },
    ...entry,
  };
}

export interface OutputFacts {
  readonly state?: RequestModel['state'];
  readonly errorReason?: string | null;
  readonly insuranceData?: InsurancePlanData[];
  readonly requestId?: string | null;
  readonly input?: RequestInfo;
}

/** What a verifier hands in for a request. `notes` of its one entry tell outputs apart. */
export function anOutput(
  request: RequestModel,
  facts: OutputFacts & { readonly notes?: string } = {},
): ResponseModel {
  const notes = facts.notes === undefined ? {} : { notes: facts.notes };
  return {
    request: {
      ...request,
      request_id: facts.requestId === undefined ? request.request_id : facts.requestId,
      input: facts.input ?? request.input,
      state: facts.state ?? 'complete',
      error_reason: facts.errorReason ?? null,
    },
    insurance_data: facts.insuranceData ?? [anEntry(notes)],
  };
}

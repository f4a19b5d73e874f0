import type { NamedBody } from './named-body.ts';
import { aRequest } from './request-bodies.ts';

const request = {
  request_id: 'req_00000000000000000000000001',
  input: aRequest,
  received_timestamp: '2026-11-02T09:30:00Z',
  state: 'complete',
  error_reason: null,
};
const plan = {
  payer_name: 'Payer Plan 1',
  plan_name: 'Gold PPO',
  eligibility_status: 'Active',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  cpt_code_coverage: ['99213'],
};
const entry = {
  uuid: '5d3b8a0e-0000-4000-8000-000000000001',
  person_uuid: '5d3b8a0e-0000-4000-8000-000000000002',
  request_id: request.request_id,
  verification_time: '2026-11-02T09:31:12.250Z',
  verification_source: 'api',
  notes: 'The payer did not answer for D0120.',
  patient_info: aRequest.patient_info,
  plan_info: plan,
};
const aResponse = { request, insurance_data: [entry] };

const withRequest = (change: object): object => ({ ...aResponse, request: { ...request, ...change } });
const withEntry = (change: object): object => ({ ...aResponse, insurance_data: [{ ...entry, ...change }] });
const withPlan = (change: object): object => withEntry({ plan_info: { ...plan, ...change } });

export const validResponses: NamedBody[] = [
  { name: 'every field', body: aResponse },
  { name: 'no coverage found', body: { request, insurance_data: [] } },
  {
    name: 'two coverages, one inactive',
    body: {
      request,
      insurance_data: [entry, { ...entry, plan_info: { ...plan, eligibility_status: 'Inactive' } }],
    },
  },
  {
    name: 'only the required fields',
    body: {
      request: {
        request_id: null,
        input: aRequest,
        received_timestamp: request.received_timestamp,
        state: 'pending',
      },
      insurance_data: [
        {
          person_uuid: entry.person_uuid,
          verification_time: entry.verification_time,
          verification_source: 'manual_phone_call',
          patient_info: { subscriber_id: 'W123456789' },
          plan_info: {},
        },
      ],
    },
  },
  {
    name: 'null wherever null is allowed',
    body: withEntry({
      uuid: null,
      request_id: null,
      notes: null,
      plan_info: {
        plan_name: null,
        eligibility_status: null,
        start_date: null,
        end_date: null,
        cpt_code_coverage: null,
      },
    }),
  },
  {
    name: 'a verification that could not find out',
    body: {
      request: { ...request, state: 'error_verifying', error_reason: 'payer_unavailable' },
      insurance_data: [],
    },
  },
  {
    name: 'free text as error_reason',
    body: withRequest({ state: 'error_verifying', error_reason: 'the portal was down' }),
  },
  {
    name: 'a date-time with an offset and a long fraction',
    body: withEntry({ verification_time: '2026-11-02t10:31:12.123456789+01:00' }),
  },
];

export const invalidResponses: NamedBody[] = [
  { name: 'an empty object', body: {} },
  { name: 'an object for insurance_data', body: { request, insurance_data: entry } },
  { name: 'null in insurance_data', body: { request, insurance_data: [entry, null] } },
  {
    name: 'no request_id',
    body: {
      ...aResponse,
      request: { input: aRequest, received_timestamp: request.received_timestamp, state: 'complete' },
    },
  },
  { name: 'an unknown state', body: withRequest({ state: 'done' }) },
  { name: 'a number for received_timestamp', body: withRequest({ received_timestamp: 1762075800 }) },
  { name: 'a date for verification_time', body: withEntry({ verification_time: '2026-11-02' }) },
  { name: 'verification_time at 24:00', body: withEntry({ verification_time: '2026-11-02T24:00:00Z' }) },
  { name: 'null for verification_time', body: withEntry({ verification_time: null }) },
  { name: 'an unknown verification_source', body: withEntry({ verification_source: 'fax' }) },
  { name: 'null for payer_name', body: withPlan({ payer_name: null }) },
  { name: 'an unknown eligibility_status', body: withPlan({ eligibility_status: 'active' }) },
  { name: 'month 13', body: withPlan({ start_date: '2026-13-01' }) },
  { name: '30 February', body: withPlan({ start_date: '2026-02-30' }) },
  { name: 'a date with a time', body: withPlan({ end_date: '2026-12-31T23:59:59Z' }) },
  { name: 'a date in another form', body: withPlan({ end_date: '12/31/2026' }) },
  {
    name: 'a fault in the request and one in a plan',
    body: { request: { ...request, input: {} }, insurance_data: [{ ...entry, plan_info: [] }] },
  },
];
